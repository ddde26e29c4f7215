// expect: type 'any Error' has no member 'rejected'
import APIKit

struct UserRequest: APIRequest {
    typealias Response = String
    typealias Failure = ProblemDetails
    var base: APIBase { "https://api.example.com" }
    var path: URLPath { "user" }
}

func show(from client: any APIClient) {
    Task {
        do {
            print(try await client.send(UserRequest()))
        } catch {
            #if FAIL
            if case .rejected(let problem, _) = error { print(problem?.title ?? "") }
            #else
            if case APIError<ProblemDetails>.rejected(let problem, _) = error { print(problem?.title ?? "") }
            #endif
        }
    }
}
