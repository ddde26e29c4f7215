import APIKit

struct UploadPhotoRequest: ShopRequest {
    typealias Response = String
    var photo: FilePart
    var caption: String?
    var method: HTTPMethod { .post }
    var path: URLPath { "photos" }
    var parameters: Parameters { ["photo": photo, "caption": caption] }
}
