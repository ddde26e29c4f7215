import APIKit

/// Needs the scopes `notes:read` and `notes:write`.
struct CreateNoteRequest: AccessRequest {
    typealias Response = NoContent
    var acceptLanguage: AcceptLanguage?

    var method: HTTPMethod { .post }
    var path: URLPath { "notes" }
    var headers: HTTPHeaders { [.acceptLanguage: acceptLanguage?.rawValue] }
}
