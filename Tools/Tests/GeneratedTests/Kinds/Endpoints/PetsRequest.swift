import APIKit

struct PetsRequest: KindsRequest {
    typealias Response = [Pet]
    var path: URLPath { "pets" }
}
