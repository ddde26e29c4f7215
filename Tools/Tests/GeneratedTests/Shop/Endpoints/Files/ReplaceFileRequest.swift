import APIKit

struct ReplaceFileRequest: ShopRequest {
    typealias Response = NoContent
    var filePath: String
    var data: Data

    var base: APIBase { .shopUploads }
    var method: HTTPMethod { .put }
    var path: URLPath { "files/\(segments: filePath)" }
    var body: RequestBody? { .data(data, contentType: "image/png") }
}
