import APIKit

nonisolated extension APIBase {
    /// The base of the Kinds API.
    static let kinds = APIBase("https://kinds.example.com")
}

/// An endpoint of the Kinds API.
nonisolated protocol KindsRequest: APIRequest {
    associatedtype Failure = KindsError
}

nonisolated extension KindsRequest {
    var base: APIBase { .kinds }
}
