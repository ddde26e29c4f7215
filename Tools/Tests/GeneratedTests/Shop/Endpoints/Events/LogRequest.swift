import APIKit

struct LogRequest: ShopRequest {
    typealias Response = JSONLines<Event>
    var path: URLPath { "events/log" }
    var headers: HTTPHeaders { [.accept: "application/x-ndjson"] }
}
