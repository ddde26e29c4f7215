import APIKit

struct Money: ShopModel, JSONBody, ParameterValue {
    var amount: Int
    var currency: String
    var parameterNode: Parameters.Node { .object(["amount": amount, "currency": currency]) }
}
