// The first endpoint of the article UploadingLargeFiles, unchanged, with all that its file imports.

import APIKit
import APIKitUploads

nonisolated extension APIBase {
    static let videos = APIBase("https://videos.example.com")
}

struct VideoUpload: ResumableUpload {
    typealias Response = UploadedFile
    var file: URL
    var base: APIBase { .videos }
    var path: URLPath { "files" }
    var uploadProtocol: UploadProtocol { .tus }
}
