/// The coding keys that a model has asked a decoder for.
final class KeyRecorder {
    private(set) var keys: Set<String> = []

    func record(_ key: some CodingKey) { keys.insert(key.stringValue) }
}

/// A decoder that decodes what another one does, and records the coding keys that the model asks for.
struct KeyRecordingDecoder: Decoder {
    let decoder: any Decoder
    let recorder: KeyRecorder

    var codingPath: [any CodingKey] { decoder.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { decoder.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let container = try decoder.container(keyedBy: type)
        return KeyedDecodingContainer(KeyRecordingContainer(container: container, recorder: recorder))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try decoder.unkeyedContainer() }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { try decoder.singleValueContainer() }
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

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try recording(key).decode(type, forKey: key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try recording(key).decode(type, forKey: key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try recording(key).decode(type, forKey: key) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try recording(key).decode(type, forKey: key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try recording(key).decode(type, forKey: key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try recording(key).decode(type, forKey: key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try recording(key).decode(type, forKey: key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try recording(key).decode(type, forKey: key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try recording(key).decode(type, forKey: key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try recording(key).decode(type, forKey: key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try recording(key).decode(type, forKey: key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try recording(key).decode(type, forKey: key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try recording(key).decode(type, forKey: key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try recording(key).decode(type, forKey: key) }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
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

    func superDecoder() throws -> any Decoder { try container.superDecoder() }

    func superDecoder(forKey key: Key) throws -> any Decoder { try recording(key).superDecoder(forKey: key) }
}
