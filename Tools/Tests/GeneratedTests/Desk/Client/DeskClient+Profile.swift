import APIKit

nonisolated extension DeskClient {
    public var profile: Profile { Profile(client: client) }

    public nonisolated struct Profile: Sendable {
        let client: any APIClient
    }
}
