import APIKit

// `nonisolated` is for modules isolated to the main actor, as new app projects are; elsewhere it changes nothing.

nonisolated protocol FilesRequest: APIRequest {
    associatedtype Failure = FilesError
}

nonisolated extension FilesRequest {
    var base: APIBase { "https://files.example.com" }  // a valid literal
}

struct FilesError: JSONResponse {
    let message: String
}

typealias FilesFailure = APIError<FilesError>

/// A file, which is written to disk as it arrives and is never in memory as a whole.
struct FileRequest: FilesRequest {
    var name: String
    typealias Response = DownloadedFile
    var path: URLPath { "files/\(name)" }
}

/// The same file, or the remaining bytes after an interrupted download.
struct ResumableFileRequest: FilesRequest, ResumableRequest {
    var name: String
    var download: ResumableDownload
    var path: URLPath { "files/\(name)" }
}
