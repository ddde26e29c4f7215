import APIKit

nonisolated extension APIBase {
    /// The base of the Unions API.
    static let unions = APIBase("https://unions.example.com")
}

/// An endpoint of the Unions API.
nonisolated protocol UnionsRequest: APIRequest {}

nonisolated extension UnionsRequest {
    var base: APIBase { .unions }
}
