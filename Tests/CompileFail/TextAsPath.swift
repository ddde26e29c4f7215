// expect: cannot convert return expression of type 'String' to return type 'URLPath'
import APIKit

struct FileRequest: APIRequest {
    typealias Response = Data
    var file: String
    var base: APIBase { "https://shop.example.com" }
    #if FAIL
    var path: URLPath { file }
    #else
    var path: URLPath { "\(segments: file)" }
    #endif
}
