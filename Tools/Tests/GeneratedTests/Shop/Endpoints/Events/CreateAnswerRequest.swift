import APIKit

struct CreateAnswerRequest: ShopRequest, JSONRequest {
    var question: String
    var stream: Bool?

    var method: HTTPMethod { .post }
    var path: URLPath { "answers" }
    var parameters: Parameters { ["question": question, "stream": stream] }

    struct Response: ShopModel {
        let text: String?
    }
}
