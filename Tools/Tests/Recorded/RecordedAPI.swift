import APIKit

nonisolated extension APIBase {
    /// The base of the Recorded API.
    ///
    /// The API expects a bearer token, or the cookie sid:
    ///
    /// ```swift
    /// let client = URLSession.api.authorized(by: .recorded(token: token), for: .recorded)
    /// ```
    static let recorded = APIBase("https://shop.example/api/v2", headers: ["x-client-version": "12"])
}

nonisolated extension CredentialSource where Self == Credential {
    /// The bearer token that the Recorded API expects.
    static func recorded(token: String) -> Credential { .bearer(token) }
}

/// An endpoint of the Recorded API.
nonisolated protocol RecordedRequest: APIRequest {
    associatedtype Failure = RecordedError
}

nonisolated extension RecordedRequest {
    var base: APIBase { .recorded }
}
