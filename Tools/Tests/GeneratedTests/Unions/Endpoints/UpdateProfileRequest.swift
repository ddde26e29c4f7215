import APIKit

struct UpdateProfileRequest: UnionsRequest {
    typealias Response = NoContent
    var id: Int
    var profile: Body

    var method: HTTPMethod { .patch }
    var path: URLPath { "profiles/\(id)" }
    var body: RequestBody? { .json(profile) }

    enum Body: JSONBody {
        case person(Person)
        case company(Company)

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .person(let value): try container.encode(value)
            case .company(let value): try container.encode(value)
            }
        }

        struct Company: Encodable {
            var kind = "company"
            var website: Patch<String> = .keep
        }

        struct Person: Encodable {
            var kind: PersonEnum = .person
            var nickname: Patch<String> = .keep

            enum PersonEnum: String, Encodable { case person }
        }
    }
}
