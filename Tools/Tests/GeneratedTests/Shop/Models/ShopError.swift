import APIKit

/// What the API reports for a rejected request.
struct ShopError: ShopModel, Error {
    let code: String?
    let message: String
    let errors: [String]?
}
