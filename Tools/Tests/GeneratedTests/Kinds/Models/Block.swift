import APIKit

struct Block: JSONBody, ParameterValue {
    var object = "block"
    var type: BlockType?
    var text: String?
    var parameterNode: Parameters.Node { .object(["object": object, "type": type, "text": text]) }

    enum BlockType: String, Encodable, ParameterValue { case text }
}
