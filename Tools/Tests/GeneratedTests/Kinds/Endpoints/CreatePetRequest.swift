import APIKit

struct CreatePetRequest: KindsRequest {
    typealias Response = Cat
    var pet: Pet

    var method: HTTPMethod { .post }
    var path: URLPath { "pets" }
    var body: RequestBody? { .json(pet) }
}
