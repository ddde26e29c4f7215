import APIKit

struct GetFileRequest: ShopRequest {
    typealias Response = DownloadedFile
    var filePath: String
    var path: URLPath { "files/\(segments: filePath)" }
}
