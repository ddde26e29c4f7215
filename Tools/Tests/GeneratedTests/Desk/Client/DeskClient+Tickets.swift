import APIKit

nonisolated extension DeskClient {
    public var tickets: Tickets { Tickets(client: client) }

    public nonisolated struct Tickets: Sendable {
        let client: any APIClient
    }
}
