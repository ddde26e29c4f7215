public import APIKit

struct MyProfileRequest: DeskRequest {
    typealias Response = DeskProfile
    var accountID: Int

    var path: URLPath { "\(accountID)/profile" }
}

nonisolated extension DeskClient.Profile {
    public func get(
        accountID: Int,
        options: RequestOptions = RequestOptions()
    ) async throws(APIError<DeskFailure>) -> DeskProfile {
        try await client.send(MyProfileRequest(accountID: accountID), options: options)
    }
}

public struct DeskProfile: JSONResponse {
    public let name: String
}
