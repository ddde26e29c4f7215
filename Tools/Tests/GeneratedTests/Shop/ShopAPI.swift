import APIKit

nonisolated extension APIBase {
    /// The base of the Shop API.
    ///
    /// The API expects a bearer token: see `authorized(by:for:)`.
    static let shop = APIBase("https://eu.shop.example.com/v2")

    /// The base of the Shop API for endpoints on a server of their own.
    static let shopUploads = APIBase("https://uploads.shop.example.com")
}

/// An endpoint of the Shop API.
nonisolated protocol ShopRequest: APIRequest {
    associatedtype Failure = ShopError
}

nonisolated extension ShopRequest {
    var base: APIBase { .shop }
}

/// A model of the Shop API.
nonisolated protocol ShopModel: JSONResponse {}

nonisolated extension ShopModel {
    static var decoder: JSONReader { JSONReader(keys: .convertFromSnakeCase) }
}

/// What the API reports for a rejected request.
struct ShopError: ShopModel, Error {
    let code: String?
    let message: String
    let errors: [String]?
}
