/// Takes an Encodable value apart into ``ParameterNode``s.
struct ParameterEncoder: Encoder {
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    fileprivate let slot: ParameterSlot
    /// How many values are being encoded inside one another.
    fileprivate let depth: Int

    /// - Throws: what the value throws, or a ``RequestError`` for one that nests too deep.
    static func node(of value: some Encodable) throws -> ParameterNode {
        try element(of: value, codingPath: [], depth: 0).node
    }

    fileprivate static func element(
        of value: some Encodable, codingPath: [any CodingKey], depth: Int
    ) throws -> ParameterSlot.Element {
        if let node = ownNode(of: value) { return .node(node) }
        let encoder = ParameterEncoder(codingPath: codingPath, slot: ParameterSlot(), depth: depth)
        try encoder.fill(with: value)
        return .slot(encoder.slot)
    }

    /// What a query and JSON have a form of their own for must not fall apart into its members.
    fileprivate static func ownNode(of value: some Encodable) -> ParameterNode? {
        if let value = value as? any ParameterValue { return value.parameterNode }
        if let data = value as? Data { return ParameterNode(.text(data.base64EncodedString())) }
        return nil
    }

    fileprivate func fill(with value: some Encodable) throws {
        guard depth < ParameterNode.maximumDepth else { throw RequestError(.parameters, ParameterNode.tooDeep) }
        try value.encode(to: self)
        if value is any Unordered { slot.isSorted = true }
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

    /// An encoder for a place in this one's container.
    fileprivate func nested(_ key: any CodingKey, _ slot: () -> ParameterSlot) -> ParameterEncoder {
        guard depth < ParameterNode.maximumDepth else {
            // Values added beyond this point are discarded, so that nested containers never end the process.
            let tooDeep = slot()
            tooDeep.setValue(ParameterNode(.invalid(ParameterNode.tooDeep)))
            return ParameterEncoder(codingPath: codingPath, slot: ParameterSlot(), depth: depth)
        }
        return ParameterEncoder(codingPath: codingPath + [key], slot: slot(), depth: depth + 1)
    }
}

/// What comes without an order of its own is sorted, so that the wire is the same each time.
private protocol Unordered {}
extension Dictionary: Unordered {}

private struct KeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ParameterEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) {
        encoder.slot.set(key.stringValue, .node(.null))
    }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        let element = try ParameterEncoder.element(of: value, codingPath: codingPath + [key], depth: encoder.depth + 1)
        encoder.slot.set(key.stringValue, element)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        nested(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        nested(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        encoder.nested(PlainKey(stringValue: "super")) { encoder.slot.member("super") }
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        nested(key)
    }

    private func nested(_ key: Key) -> ParameterEncoder {
        encoder.nested(key) { encoder.slot.member(key.stringValue) }
    }
}

private struct UnkeyedContainer: UnkeyedEncodingContainer {
    let encoder: ParameterEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.slot.count }
    private var key: PlainKey { PlainKey(intValue: count) }

    func encodeNil() {
        encoder.slot.append(.node(.null))
    }

    func encode(_ value: some Encodable) throws {
        let element = try ParameterEncoder.element(of: value, codingPath: codingPath + [key], depth: encoder.depth + 1)
        encoder.slot.append(element)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        nested().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        nested().unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        nested()
    }

    private func nested() -> ParameterEncoder {
        encoder.nested(key) {
            let slot = ParameterSlot()
            encoder.slot.append(.slot(slot))
            return slot
        }
    }
}

private struct SingleValueContainer: SingleValueEncodingContainer {
    let encoder: ParameterEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() {
        encoder.slot.setValue(.null)
    }

    func encode(_ value: some Encodable) throws {
        if let node = ParameterEncoder.ownNode(of: value) { return encoder.slot.setValue(node) }
        let inner = ParameterEncoder(codingPath: codingPath, slot: encoder.slot, depth: encoder.depth + 1)
        try inner.fill(with: value)
    }
}

/// The place of an element in a list, or of a superclass.
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
