import APIKit

struct FileRequest: ShopRequest {
    typealias Response = DownloadedFile
    var filePath: String

    var path: URLPath { "files/\(segments: filePath)" }
}
