// expect: declare the property as stored and variable, such as `var pageLink: URL?`
import APIKit

struct ItemsRequest: PagedRequest {
    typealias Response = JSON<[Int]>
    var base: APIBase { "https://api.example.com" }
    var path: URLPath { "items" }
    #if !FAIL
    var pageLink: URL?
    #endif
    func next(after reply: APIReply<[Int]>) -> Self? { next(setting: \.pageLink, to: reply.links[.next]) }
}
