// expect: cannot assign value of type 'APIError<ProblemDetails>'
import APIKit

struct UserRequest: APIRequest {
    typealias Response = String
    typealias Failure = ProblemDetails
    var base: APIBase { "https://api.example.com" }
    var path: URLPath { "user" }
}

func user(from client: some APIClient) async -> String? {
    do {
        return try await client.send(UserRequest())
    } catch {
        #if FAIL
        let other: APIError<String> = error
        #else
        let other: APIError<ProblemDetails> = error
        #endif
        return other.description
    }
}
