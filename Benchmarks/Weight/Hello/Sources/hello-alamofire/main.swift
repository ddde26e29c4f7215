// Prints GitHub's first users.
import Alamofire

struct User: Decodable, Sendable {
    let id: Int
    let login: String
}

let request = AF.request("https://api.github.com/users", parameters: ["since": 46]).validate()
let users = try await request.serializingDecodable([User].self).value
print(users)
