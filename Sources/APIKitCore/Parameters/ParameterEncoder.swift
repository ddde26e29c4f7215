/// Converts an Encodable value into ``Parameters/Node``s.
struct ParameterEncoder: Encoder {
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    fileprivate let slot: ParameterSlot
    /// How many values are being encoded inside one another.
    fileprivate let depth: Int

    static func node(of value: some Encodable) throws -> Parameters.Node {
        let encoder = ParameterEncoder(codingPath: [], slot: ParameterSlot(), depth: 0)
        try encoder.encode(value)
        return encoder.slot.node()
    }

    /// Encodes a value into the slot, a type with its own form in a query and in JSON as such rather than as its
    /// members.
    fileprivate func encode(_ value: some Encodable) throws {
        if let value = value as? any ParameterValue { return slot.setValue(value.parameterNode) }
        if let data = value as? Data { return slot.setValue(data.base64EncodedString().parameterNode) }
        guard depth < Parameters.Node.maximumDepth else { return slot.setValue(.tooDeep) }
        try value.encode(to: self)
        if value is any Unordered { slot.isSorted = true }
    }

    /// An encoder for a value inside this one.
    fileprivate func inner(_ slot: ParameterSlot, key: (any CodingKey)? = nil) -> ParameterEncoder {
        guard depth < Parameters.Node.maximumDepth else {
            // Values in containers at a greater depth are discarded, so that no nesting overflows the stack.
            slot.setValue(.tooDeep)
            return ParameterEncoder(codingPath: codingPath, slot: ParameterSlot(), depth: depth)
        }
        let path = key.map { codingPath + [$0] } ?? codingPath
        return ParameterEncoder(codingPath: path, slot: slot, depth: depth + 1)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        slot.becomeObject()
        return KeyedEncodingContainer(KeyedContainer<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        slot.becomeList()
        return UnkeyedContainer(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        SingleValueContainer(encoder: self)
    }
}

/// A type whose members have no order. They are sorted, so that the request is the same each time.
private protocol Unordered {}
extension Dictionary: Unordered {}

private struct KeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ParameterEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) {
        encoder.slot.setMember(ParameterSlot(.null), named: key.stringValue)
    }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        let slot = ParameterSlot()
        try encoder.inner(slot, key: key).encode(value)
        encoder.slot.setMember(slot, named: key.stringValue)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        superEncoder(forKey: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        superEncoder(forKey: key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        encoder.inner(encoder.slot.member(named: "super"), key: PlainKey(stringValue: "super"))
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        encoder.inner(encoder.slot.member(named: key.stringValue), key: key)
    }
}

private struct UnkeyedContainer: UnkeyedEncodingContainer {
    let encoder: ParameterEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.slot.count }

    func encodeNil() {
        encoder.slot.append(ParameterSlot(.null))
    }

    func encode(_ value: some Encodable) throws {
        let slot = ParameterSlot()
        try encoder.inner(slot, key: PlainKey(intValue: count)).encode(value)
        encoder.slot.append(slot)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        superEncoder().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        superEncoder().unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        let key = PlainKey(intValue: count)
        let slot = ParameterSlot()
        encoder.slot.append(slot)
        return encoder.inner(slot, key: key)
    }
}

private struct SingleValueContainer: SingleValueEncodingContainer {
    let encoder: ParameterEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() {
        encoder.slot.setValue(.null)
    }

    func encode(_ value: some Encodable) throws {
        try encoder.inner(encoder.slot).encode(value)
    }
}

/// The index of an element in a list, or the name of a superclass.
private struct PlainKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(intValue: Int) {
        stringValue = intValue.description
        self.intValue = intValue
    }

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }
}
