// Prints GitHub's first users.
import Foundation
import Get

struct User: Decodable, Sendable {
    let id: Int
    let login: String
}

let client = APIClient(baseURL: URL(string: "https://api.github.com"))
let request = Request<[User]>(path: "/users", query: [("since", "46")])
let users = try await client.send(request).value
print(users)
