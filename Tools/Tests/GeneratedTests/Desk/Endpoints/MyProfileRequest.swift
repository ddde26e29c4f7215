public import APIKit

struct MyProfileRequest: DeskRequest {
    typealias Response = DeskProfile
    var path: URLPath { "profile" }
}

nonisolated extension DeskClient.Profile {
    public func get(options: RequestOptions = RequestOptions()) async throws(APIError<DeskFailure>) -> DeskProfile {
        try await client.send(MyProfileRequest(), options: options)
    }
}

public struct DeskProfile: JSONResponse {
    public let name: String
}
