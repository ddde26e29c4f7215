public import APIKit

struct HealthRequest: DeskRequest {
    typealias Response = String
    var base: APIBase { .deskRoot }
    var path: URLPath { "health" }
    var options: RequestOptions { RequestOptions(addsCredentials: false) }
}

nonisolated extension DeskClient.Health {
    public func get(options: RequestOptions = RequestOptions()) async throws(APIError<DeskFailure>) -> String {
        try await client.send(HealthRequest(), options: options)
    }
}
