import APIKit

/// Uploads a file, which is read from disk as it is sent and is never in memory as a whole.
struct PutFileRequest {
    var file: URL
    var isSlow = false
}

nonisolated extension PutFileRequest: APIRequest {
    typealias Response = Receipt
    typealias Failure = FilesError
    var baseURL: URL { URL(string: "https://files.example.com")! }  // a valid literal
    var method: HTTPMethod { .put }
    var path: URLPath { "files/\(file.lastPathComponent)" }
    var query: Parameters { ["slow": isSlow ? 1 : nil] }
    var body: RequestBody? { .file(file) }
}

struct Receipt: JSONAPIResponse {
    let name: String
    let size: Int
}

struct FilesError: JSONAPIResponse {
    let message: String
}
