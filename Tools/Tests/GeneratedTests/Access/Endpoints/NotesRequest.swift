import APIKit

struct NotesRequest: AccessRequest {
    typealias Response = NoContent
    var acceptLanguage: AcceptLanguage?

    var path: URLPath { "notes" }
    var headers: HTTPHeaders { [.acceptLanguage: acceptLanguage?.rawValue] }
}
