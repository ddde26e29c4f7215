import APIKit

struct User: JSONResponse {
    let id: Int
    let name: String
    let email: String?
    let createdAt: Date

    private enum CodingKeys: String, CodingKey {
        case id, name, email
        case createdAt = "created_at"
    }
}
