import APIKit

struct CreateOrderRequest: ShopRequest {
    var products: [String]
    var kind: Kind?
    var address: Address?

    enum Kind: String, ParameterValue { case gift, normal }

    var method: HTTPMethod { .post }
    var path: URLPath { "orders" }
    var parameters: Parameters { ["products": products, "kind": kind, "address": address] }

    struct Accepted: ShopModel {
        let checkURL: String?
    }

    struct Address: ParameterValue {
        var city: String?
        var parameterNode: Parameters.Node { .object(["city": city]) }
    }

    enum Response: APIResponse {
        case created(Order)
        case accepted(Accepted)

        static var acceptedTypes: [MIMEType] { [.json] }
        static func process(data: Data) throws -> Response { .created(try Order.process(data: data)) }

        static func process(response: HTTPResponse) async throws -> Response {
            switch response.head.status {
            case 202: .accepted(try await Accepted.process(response: response))
            default: .created(try await Order.process(response: response))
            }
        }
    }
}
