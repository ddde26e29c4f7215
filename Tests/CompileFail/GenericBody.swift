// expect: requires the types 'Model.BodyEncoder' and 'JSONEncoder' be equivalent
import APIKit

#if FAIL
struct AddRequest<Model: JSONBody>: APIRequest {
    typealias Response = NoContent
    var model: Model
    var base: APIBase { "https://shop.example.com" }
    var path: URLPath { "items" }
    var body: RequestBody? { .json(model) }
}
#else
struct AddRequest<Model: JSONBody>: APIRequest where Model.BodyEncoder == JSONEncoder {
    typealias Response = NoContent
    var model: Model
    var base: APIBase { "https://shop.example.com" }
    var path: URLPath { "items" }
    var body: RequestBody? { .json(model) }
}
#endif
