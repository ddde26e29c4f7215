import APIKit

struct CreateCompletionRequest: EdgesRequest {
    typealias Response = Completion
    var method: HTTPMethod { .post }
    var path: URLPath { "completions" }
}

struct Completion: JSONResponse {
    let text: String
    let model: CompletionModel

    struct CompletionModel: Decodable {
        let id: String
    }
}
