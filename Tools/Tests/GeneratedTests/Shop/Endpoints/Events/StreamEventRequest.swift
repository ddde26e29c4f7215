import APIKit

struct StreamEventRequest: ShopRequest {
    typealias Response = JSONEvents<Event>
    var path: URLPath { "events" }
}
