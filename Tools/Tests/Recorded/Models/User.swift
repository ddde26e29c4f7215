import APIKit

struct User: JSONResponse {
    let id: Int
    let createdAt: Date
    let email: String?
    let name: String

    private enum CodingKeys: String, CodingKey {
        case id, email, name
        case createdAt = "created_at"
    }
}
