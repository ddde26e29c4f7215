public import APIKit

nonisolated extension APIBase {
    /// The base of the Desk API.
    ///
    /// A client sets the variable of its URL with `.based(at: .desk(accountID: accountID), insteadOf: .desk)`.
    ///
    /// The API expects a bearer token:
    ///
    /// ```swift
    /// let client = URLSession.api
    ///     .based(at: .desk(accountID: accountID), insteadOf: .desk)
    ///     .authorized(by: .desk(token: token), for: .desk)
    /// ```
    public static let desk = APIBase("https://desk.example.com/v1/{account_id}")

    /// The base of the Desk API for the given account ID.
    public static func desk(accountID: Int) -> APIBase { desk.setting("account_id", to: accountID) }

    /// The base of the Desk API for endpoints on a server of their own.
    public static let deskRoot = APIBase("https://desk.example.com/v1")
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
