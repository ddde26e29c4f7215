import APIKit

/// Uploads a file, which is read from disk as it is sent and is never in memory as a whole.
struct PutFileRequest: APIRequest {
    var file: URL
    var isSlow = false

    typealias Response = Receipt
    typealias Failure = FilesError
    var base: APIBase { "https://files.example.com" }  // a valid literal
    var method: HTTPMethod { .put }
    var path: URLPath { "files/\(file.lastPathComponent)" }
    var query: Parameters { ["slow": isSlow ? 1 : nil] }
    var body: RequestBody? { .file(file) }
}

struct Receipt: JSONResponse {
    let name: String
    let size: Int
}

struct FilesError: JSONResponse {
    let message: String
}
