import APIKit

struct StreamAnswerRequest: ShopRequest, JSONRequest {
    typealias Response = JSONEvents<Event>
    var question: String

    var method: HTTPMethod { .post }
    var path: URLPath { "answers" }
    var parameters: Parameters { ["question": question, "stream": true] }
}
