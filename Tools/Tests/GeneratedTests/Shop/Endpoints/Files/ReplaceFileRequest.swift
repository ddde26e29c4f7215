import APIKit

struct ReplaceFileRequest: ShopRequest {
    typealias Response = NoContent
    var pathValue: String
    var data: Data
    var base: APIBase { .shopUploads }
    var method: HTTPMethod { .put }
    var path: URLPath { "files/\(segments: pathValue)" }
    var body: RequestBody? { .data(data, contentType: "image/png") }
}
