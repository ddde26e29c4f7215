import APIKit

struct Cat: JSONResponse, JSONBody, ParameterValue {
    var name: String
    var lives: Int
    var petType = "cat"
    var friend: Pet?

    var parameterNode: Parameters.Node {
        .object(["name": name, "lives": lives, "petType": petType, "friend": friend])
    }
}
