import APIKit

struct EntriesRequest: EdgesRequest, PagedRequest {
    typealias Response = [Row]
    var page: Int?
    var pageLink: URL?

    var path: URLPath { "entries" }
    var parameters: Parameters { ["page": page] }

    func next(after reply: APIReply<[Row]>) -> Self? { next(setting: \.pageLink, to: reply.links[.next]) }
    func total(in reply: APIReply<[Row]>) -> Int? { reply.head.headers["X-Total-Count"].flatMap { Int($0) } }
}
