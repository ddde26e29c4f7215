import APIKit

nonisolated extension DeskClient {
    public var boards: Boards { Boards(client: client) }

    public nonisolated struct Boards: Sendable {
        let client: any APIClient
    }
}
