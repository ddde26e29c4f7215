import APIKit

struct UsersRequest: RecordedRequest, PagedRequest {
    typealias Response = [User]
    var page = 1
    var perPage = 30

    var path: URLPath { "users" }
    var parameters: Parameters { ["page": page, "per_page": perPage] }

    func next(after reply: APIReply<[User]>) -> Self? { next(advancing: \.page, by: reply.model.isEmpty ? 0 : 1) }
}
