// expect: cannot convert value of type 'any Error' to expected argument type 'APIError<ProblemDetails>'
import APIKit

struct NameRequest: APIRequest {
    typealias Response = String
    typealias Failure = ProblemDetails
    var base: APIBase { "https://api.example.com" }
    var path: URLPath { "name" }
}

func names(from clients: [any APIClient]) async -> [Result<String, APIError<ProblemDetails>>] {
    await withTaskGroup(of: Result<String, APIError<ProblemDetails>>.self) { group in
        for client in clients {
            group.addTask {
                #if FAIL
                do { return .success(try await client.send(NameRequest())) } catch { return .failure(error) }
                #else
                do throws(APIError<ProblemDetails>) {
                    return .success(try await client.send(NameRequest()))
                } catch {
                    return .failure(error)
                }
                #endif
            }
        }
        return await group.reduce(into: []) { $0.append($1) }
    }
}
