import APIKit

struct StatusRequest: AccessRequest {
    typealias Response = NoContent
    var acceptLanguage: AcceptLanguage?

    var path: URLPath { "status" }
    var headers: HTTPHeaders { [.acceptLanguage: acceptLanguage?.rawValue] }
    var options: RequestOptions { RequestOptions(addsCredentials: false) }
}
