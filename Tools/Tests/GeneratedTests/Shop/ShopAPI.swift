import APIKit

nonisolated extension APIBase {
    /// The base of The Shop API.
    ///
    /// The API expects a bearer token: see `authorized(by:for:)`.
    static let shop = APIBase("https://eu.shop.example.com/v2")
}

/// An endpoint of The Shop API.
nonisolated protocol ShopRequest: APIRequest {
    associatedtype Failure = ShopError
}

nonisolated extension ShopRequest {
    var base: APIBase { .shop }
}

/// What the API reports for a rejected request.
struct ShopError: JSONResponse, Error {
    let code: String?
    let errors: [String]?
    let message: String
}
