import APIKit

struct Money: Codable, ParameterValue {
    var amount: Int
    var currency: String
    var parameterNode: Parameters.Node { .object(["amount": amount, "currency": currency]) }
}
