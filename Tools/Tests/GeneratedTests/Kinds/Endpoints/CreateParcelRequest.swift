import APIKit

struct CreateParcelRequest: KindsRequest, JSONRequest {
    typealias Response = Parcel
    var callbackURL: String?

    var method: HTTPMethod { .post }
    var path: URLPath { "parcels" }
    var parameters: Parameters { ["callbackURL": callbackURL] }
}
