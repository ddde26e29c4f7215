import APIKit

struct GetFileRequest: ShopRequest {
    typealias Response = DownloadedFile
    var pathValue: String
    var path: URLPath { "files/\(segments: pathValue)" }
}
