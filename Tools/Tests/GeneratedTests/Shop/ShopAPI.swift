import APIKit

nonisolated extension APIBase {
    /// The base of the Shop API.
    ///
    /// The API expects a bearer token:
    ///
    /// ```swift
    /// let client = URLSession.api.authorized(by: .shop(token: token), for: .shop, .shopUploads)
    /// ```
    static let shop = APIBase("https://eu.shop.example.com/v2")

    /// The base of the Shop API for the given region.
    ///
    /// If `region` is empty, or contains characters that would change other parts of the URL, each request throws a
    /// `RequestError` with the code `baseURL`.
    ///
    /// ```swift
    /// let client = URLSession.api
    ///     .based(at: .shop(region: region), insteadOf: .shop)
    ///     .authorized(by: .shop(token: token), for: .shop)
    /// ```
    static func shop(region: String = "eu") -> APIBase {
        let region = checked(region, signs: "-.", else: "{region}")
        return APIBase("https://\(region).shop.example.com/v2")
    }

    /// The base of the Shop API for endpoints on a server of their own.
    ///
    /// `authorized(by:for:)` sends credentials to it only if you name it, too: `for: .shop, .shopUploads`.
    static let shopUploads = APIBase("https://uploads.shop.example.com")

    /// Returns a part of a URL if it has only letters and digits of ASCII, and the given signs.
    /// Otherwise, or if it is empty, returns a placeholder in braces, with which no URL is valid.
    private static func checked(_ part: String, signs: String, else placeholder: String) -> String {
        let isAllowed = part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || signs.contains($0)) }
        return isAllowed && !part.isEmpty ? part : placeholder
    }
}

nonisolated extension CredentialSource where Self == Credential {
    /// The bearer token that the Shop API expects.
    static func shop(token: String) -> Credential { .bearer(token) }
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
