extension JSONValue: JSONResponse {}
extension JSONValue: JSONBody {}

extension JSONValue: ParameterValue {
    /// The same value: in a query or a form, arrays and objects have the notation of the request's ``ParameterStyle``.
    public var parameterNode: Parameters.Node {
        switch self {
        case .null: Parameters.Node(.null)
        case .bool(let value): value.parameterNode
        case .number(let number): Parameters.Node(.number(number.description))
        case .string(let text): text.parameterNode
        case .array(let elements): Parameters.Node(list: elements.map(\.parameterNode))
        case .object(let members):
            Parameters.Node.object(Parameters(fields: members.map { ($0.name, $0.value.parameterNode) }))
        }
    }
}

extension Extended: APIResponse where Model: JSONResponse, Additional: Decodable {}
extension Extended: JSONResponse where Model: JSONResponse, Additional: Decodable {
    /// The model's decoder.
    public static var decoder: any DataDecoder { Model.dataDecoder }
    /// The model's types.
    public static var acceptedTypes: [MIMEType] { Model.acceptedTypes }
}

extension Extended: JSONBody where Model: JSONBody, Additional: Encodable {
    /// The model's encoder.
    public static var encoder: JSONEncoder { Model.jsonEncoder }
}

extension Tagged: APIResponse {}
extension Tagged: JSONResponse {
    /// The decoder of the union if that is a model; otherwise `JSONReader()`.
    public static var decoder: any DataDecoder { StandardJSON.decoder(for: Union.self) }
    /// The types of the union if that is a model; otherwise `application/json`.
    public static var acceptedTypes: [MIMEType] { (Union.self as? any JSONResponse.Type)?.acceptedTypes ?? [.json] }
}

extension Tagged: JSONBody {
    /// The encoder of the union if that is a body; otherwise `JSONEncoder.api`.
    public static var encoder: JSONEncoder { StandardJSON.encoder(for: Union.self) }
}
