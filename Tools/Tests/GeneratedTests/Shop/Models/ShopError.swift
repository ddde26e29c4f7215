import APIKit

/// What the API reports for a rejected request.
struct ShopError: ShopModel, LocalizedError {
    let code: String?
    let message: String
    let errors: [String]?
    var errorDescription: String? { message }
}
