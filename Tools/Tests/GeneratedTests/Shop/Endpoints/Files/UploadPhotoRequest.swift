import APIKit

struct UploadPhotoRequest: ShopRequest {
    typealias Response = String
    var photo: FilePart
    var caption: String?
    var place: Place?

    var method: HTTPMethod { .post }
    var path: URLPath { "photos" }
    var parameters: Parameters {
        ["photo": photo, "caption": caption, "place": place.map { FilePart(.json($0), filename: nil) }]
    }

    struct Place: JSONBody {
        var city: String
    }
}
