import APIKit

struct RowsRequest: EdgesRequest, PagedRequest {
    var offset: Int64 = 0

    var path: URLPath { "rows" }
    var parameters: Parameters { ["offset": offset] }

    func next(after reply: APIReply<Response>) -> Self? {
        next(advancing: \.offset, by: Int64(reply.model.entries?.count ?? 0))
    }

    struct Response: JSONResponse {
        let entries: [Row]?
        let offset: Int64?
    }
}
