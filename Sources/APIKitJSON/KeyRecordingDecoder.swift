/// The coding keys that a model has asked a decoder for.
final class KeyRecorder {
    private(set) var keys: Set<String>

    /// Creates a recorder, which may have some keys already.
    init(_ keys: Set<String> = []) {
        self.keys = keys
    }

    func record(_ key: some CodingKey) { keys.insert(key.stringValue) }
}

/// A decoder that decodes what another one does, and records the coding keys that the model asks for.
struct KeyRecordingDecoder: Decoder {
    let decoder: any Decoder
    let recorder: KeyRecorder

    var codingPath: [any CodingKey] { decoder.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { decoder.userInfo }

    /// Records the keys of all members, for a model that takes each of them. A value that is not an object has none.
    func recordAllKeys() {
        guard let container = try? decoder.container(keyedBy: JSONKey.self) else { return }
        for key in container.allKeys { recorder.record(key) }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let container = try decoder.container(keyedBy: type)
        return KeyedDecodingContainer(KeyRecordingContainer(container: container, recorder: recorder))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try decoder.unkeyedContainer() }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        KeyRecordingValueContainer(container: try decoder.singleValueContainer(), decoder: self)
    }
}

/// A container of a model that decodes another model from the same object, whose keys are recorded as well.
private struct KeyRecordingValueContainer: SingleValueDecodingContainer {
    let container: any SingleValueDecodingContainer
    let decoder: KeyRecordingDecoder

    var codingPath: [any CodingKey] { container.codingPath }

    func decodeNil() -> Bool { container.decodeNil() }

    /// Decodes the other model with the recording decoder, so that the keys that it asks for are recorded as well.
    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        // A single value has no keys, and its format may depend on the decoder.
        if isSingleValue(type) { return try container.decode(type) }
        if let open = type as? any OpenObject.Type {
            // The cast cannot fail, since `open` is the type `T`.
            return try open.init(from: decoder, besides: []) as! T
        }
        return try type.init(from: decoder)
    }
}

/// A container that decodes what another one does, and records the coding keys that the model asks for.
private struct KeyRecordingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let container: KeyedDecodingContainer<Key>
    let recorder: KeyRecorder

    var codingPath: [any CodingKey] { container.codingPath }
    var allKeys: [Key] { container.allKeys }

    /// Returns the container, once the key is recorded.
    private func recording(_ key: Key) -> KeyedDecodingContainer<Key> {
        recorder.record(key)
        return container
    }

    func contains(_ key: Key) -> Bool { recording(key).contains(key) }

    func decodeNil(forKey key: Key) throws -> Bool { try recording(key).decodeNil(forKey: key) }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try recording(key).decode(type, forKey: key)
    }

    // The protocol has implementations for these types, which throw and would be used instead of the generic function.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try recording(key).decode(type, forKey: key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
        try recording(key).decode(type, forKey: key)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try recording(key).nestedContainer(keyedBy: type, forKey: key)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try recording(key).nestedUnkeyedContainer(forKey: key)
    }

    func superDecoder() throws -> any Decoder {
        recorder.record(JSONKey.name("super"))
        return try container.superDecoder()
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { try recording(key).superDecoder(forKey: key) }
}
