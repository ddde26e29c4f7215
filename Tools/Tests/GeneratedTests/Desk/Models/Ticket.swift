public import APIKit

public struct Ticket: JSONResponse {
    public let id: Int
    public let title: String
    public let closedAt: Date?

    private enum CodingKeys: String, CodingKey {
        case id, title
        case closedAt = "closed_at"
    }
}
