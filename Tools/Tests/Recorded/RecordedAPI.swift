import APIKit

nonisolated extension APIBase {
    /// The base of the Recorded API.
    ///
    /// The API expects a bearer token, or the cookie sid: see `authorized(by:for:)`.
    static let recorded = APIBase("https://shop.example/api/v2", headers: ["x-client-version": "12"])
}

/// An endpoint of the Recorded API.
nonisolated protocol RecordedRequest: APIRequest {
    associatedtype Failure = RecordedError
}

nonisolated extension RecordedRequest {
    var base: APIBase { .recorded }
}

struct RecordedError: JSONResponse, Error {
    let code: Int
    let error: String
}
