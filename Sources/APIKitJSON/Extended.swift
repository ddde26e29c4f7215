/// A model with additional properties: members whose names the model does not declare.
///
/// ```swift
/// struct Usage: JSONResponse, JSONBody, Equatable {
///     let name: String
/// }
///
/// struct UsageRequest: ShopRequest {
///     typealias Response = Extended<Usage, Double>
///     var path: URLPath { "usage" }
/// }
/// ```
///
/// `{"name": "cpu", "user": 0.5, "system": 0.25}` is read as a usage whose `name` is `"cpu"`, and whose `additional` is
/// `["user": 0.5, "system": 0.25]`. Values of different types are an `Extended<Usage, JSONValue>`.
///
/// The members of the model are available as if they were its own. The names of additional members are as they are in
/// the text when `JSONReader` reads them; other decoders, and all encoders, convert them as they convert coding keys.
///
/// The members that a model declares are those that its `init(from:)` asks for. So a model that tries several types in
/// turn, such as `try? Cat(from: decoder)` and then `Dog(from: decoder)`, declares the members of each type that it has
/// tried: those of a cat are never additional members of a dog. This does not apply to a ``Tagged`` value.
@dynamicMemberLookup
public struct Extended<Model: Sendable, Additional: Sendable>: Sendable {
    /// The model, made of the members that it declares.
    public var model: Model
    /// The other members, by their names.
    public var additional: [String: Additional]

    /// Creates a model with additional properties.
    public init(_ model: Model, additional: [String: Additional] = [:]) {
        self.model = model
        self.additional = additional
    }

    /// A property of the model.
    public subscript<Value>(dynamicMember keyPath: KeyPath<Model, Value>) -> Value { model[keyPath: keyPath] }

    /// A property of the model.
    public subscript<Value>(dynamicMember keyPath: WritableKeyPath<Model, Value>) -> Value {
        get { model[keyPath: keyPath] }
        set { model[keyPath: keyPath] = newValue }
    }
}

extension Extended: Equatable where Model: Equatable, Additional: Equatable {}
extension Extended: Hashable where Model: Hashable, Additional: Hashable {}

extension Extended: Decodable where Model: Decodable, Additional: Decodable {
    /// Reads the model, and then every member that the model has not asked for.
    ///
    /// - Throws: That of the decoder, also if an additional member has another type; `DecodingError` if more than 100
    ///   such values are nested or, with another decoder than `JSONReader`, more than 100 arrays and objects.
    public init(from decoder: any Decoder) throws {
        try self.init(from: decoder, besides: [])
    }
}

extension Extended: OpenObject where Model: Decodable, Additional: Decodable {
    /// Reads the model, and then every member that neither the model nor one of the given coding keys stands for.
    ///
    /// The model is decoded by a decoder that passes everything on to the real one, and records the keys that the model
    /// asks for. All other members are additional.
    init(from decoder: any Decoder, besides keys: Set<String>) throws {
        self = try decoder.decodeNestedModel { try Self(reading: decoder, declaredKeys: keys) }
    }

    /// Does the same, whatever this value is nested in.
    private init(reading decoder: any Decoder, declaredKeys: Set<String>) throws {
        let recorder = KeyRecorder(declaredKeys)
        model = try Model(from: KeyRecordingDecoder(decoder: decoder, recorder: recorder))
        // `JSONReader`'s own decoder knows the names in the text, before a key strategy has converted them.
        if let decoder = decoder as? JSONValueDecoder {
            additional = try decoder.members(besides: recorder.keys)
            return
        }
        let container = try decoder.container(keyedBy: JSONKey.self)
        var additional: [String: Additional] = [:]
        for key in container.allKeys where !recorder.keys.contains(key.stringValue) {
            additional[key.stringValue] = try container.decode(Additional.self, forKey: key)
        }
        self.additional = additional
    }
}

extension Extended: Encodable where Model: Encodable, Additional: Encodable {
    /// Writes the members of the model, and then the additional ones. An additional member that has the name of a
    /// declared one replaces it.
    ///
    /// - Throws: `EncodingError` if the model is not encoded as an object; that of the encoder.
    public func encode(to encoder: any Encoder) throws {
        let memberEncoder = MemberEncoder(encoder)
        try memberEncoder.encodeMembers(of: model)
        for (name, value) in additional.sorted(by: { $0.key < $1.key }) {
            try memberEncoder.encode(value, forKey: JSONKey.name(name))
        }
        try memberEncoder.finish()
    }
}
