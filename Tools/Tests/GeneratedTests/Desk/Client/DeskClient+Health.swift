import APIKit

nonisolated extension DeskClient {
    public var health: Health { Health(client: client) }

    public nonisolated struct Health: Sendable {
        let client: any APIClient
    }
}
