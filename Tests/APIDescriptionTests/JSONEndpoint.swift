import APIDescription
import APIKitCore

/// An endpoint with any body and response, to compare with one schema.
struct JSONEndpoint<Model: JSONResponse>: APIRequest {
    typealias Response = Model
    typealias Failure = Data
    var json: String?
    var base: APIBase { "https://api.example" }
    var method: HTTPMethod { .post }
    var path: URLPath { "things" }
    var body: RequestBody? { json.map { .data(Data($0.utf8), contentType: .json) } }
}

/// A model that reads everything.
struct Anything: JSONResponse {
    init(from decoder: any Decoder) {}
}

extension APIDescription {
    /// A description of one operation, `POST /things`.
    init(request: String? = nil, response: String? = nil, version: String = "3.0.3", schemas: String = "{}") throws {
        let body = request.map { #""requestBody": {"content": {"application/json": {"schema": \#($0)}}},"# } ?? ""
        let success = response.map { #""200": {"content": {"application/json": {"schema": \#($0)}}}"# } ?? ""
        let text = """
            {
              "openapi": "\(version)",
              "paths": {"/things": {"post": {\(body) "responses": {\(success)}}}},
              "components": {"schemas": \(schemas)}
            }
            """
        try self.init(Data(text.utf8))
    }
}
