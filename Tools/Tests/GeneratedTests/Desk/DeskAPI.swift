public import APIKit

nonisolated extension APIBase {
    /// The base of the Desk API.
    ///
    /// The API expects a bearer token:
    ///
    /// ```swift
    /// let client = URLSession.api.authorized(by: .desk(token: token), for: .desk)
    /// ```
    public static let desk = APIBase("https://desk.example.com/v1")
}

nonisolated extension CredentialSource where Self == Credential {
    /// The bearer token that the Desk API expects.
    public static func desk(token: String) -> Credential { .bearer(token) }
}

/// An endpoint of the Desk API.
nonisolated protocol DeskRequest: APIRequest {
    associatedtype Failure = DeskFailure
}

nonisolated extension DeskRequest {
    var base: APIBase { .desk }
}
