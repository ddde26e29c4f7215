/// Encodes a value as a ``Parameters/Node``. Each value within it has an encoder of its own.
///
/// If a value requests a container twice, it gets the same container again, as with JSONEncoder.
final class ParameterEncoder: Encoder {
    /// The form of the encoded value so far.
    private enum Kind {
        case empty, value, list, object
        /// More than one form, such as a value and a list.
        case ambiguous
    }

    /// A member of an object, or an element of a list. The name of an element is empty.
    private struct Member {
        let name: String
        var encoder: ParameterEncoder
    }

    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    /// The number of values that are being encoded inside one another.
    private var depth: Int
    /// Whether the values are nested too deeply. Everything encoded here is then discarded, so that the stack does not
    /// overflow.
    private let isTooDeep: Bool
    private var kind = Kind.empty
    private var value = Parameters.Node.null
    private var members: [Member] = []
    /// The index of each member in ``members`` by its name, so that finding one takes constant time.
    private var positions: [String: Int] = [:]
    /// Whether the members are sorted by name.
    private var isSorted = false

    static func node(of value: some Encodable) throws -> Parameters.Node {
        let encoder = ParameterEncoder(codingPath: [], depth: 0)
        try encoder.encode(value)
        return encoder.node()
    }

    /// Creates an encoder for a value inside `depth` others. If these are too many, the result is an error node,
    /// whatever is encoded.
    private init(codingPath: [any CodingKey], depth: Int) {
        self.codingPath = codingPath
        self.depth = depth
        isTooDeep = depth > Parameters.Node.maximumDepth
        if isTooDeep {
            kind = .value
            value = .tooDeep
        }
    }

    /// Returns an encoder for a value inside this one.
    @inline(never)
    fileprivate func inner(_ key: any CodingKey, _ node: Parameters.Node? = nil) -> ParameterEncoder {
        let encoder = ParameterEncoder(codingPath: codingPath + [key], depth: depth + 1)
        if let node { encoder.setValue(node) }
        return encoder
    }

    /// Encodes a value. A ``ParameterValue`` becomes its own node; its `encode(to:)` is not used.
    @inline(never)
    fileprivate func encode(_ value: any Encodable) throws {
        if let value = value as? any ParameterValue {
            setValue(value.parameterNode)
        } else if depth < Parameters.Node.maximumDepth {
            try value.encode(to: self)
            // A dictionary has another order in each process. Sorted, equal values give equal requests.
            if value is any Unordered { isSorted = true }
        } else {
            setValue(.tooDeep)
        }
    }

    /// Encodes the value of a single-value container. It has no encoder of its own, so its depth is counted here: a
    /// type that wraps itself again and again must not overflow the stack.
    @inline(never)
    fileprivate func encodeSingle(_ value: any Encodable) throws {
        depth += 1
        defer { depth -= 1 }
        try encode(value)
    }

    /// Begins an object. If the value has encoded an object before, further members are added to it, as with
    /// JSONEncoder.
    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if kind == .value, case .object(let members, _) = value.content {
            kind = .object
            for member in members { setMember(PlainKey(stringValue: member.name), member.value) }
        } else {
            become(.object)
        }
        return KeyedEncodingContainer(KeyedContainer<Key>(encoder: self))
    }

    /// Begins a list. If the value has encoded a list before, further elements are added to it.
    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if kind == .value, case .list(let nodes, _) = value.content {
            kind = .list
            for node in nodes { append(inner(nextKey, node)) }
        } else {
            become(.list)
        }
        return UnkeyedContainer(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        SingleValueContainer(encoder: self)
    }

    /// Notes the form of the value, which is ambiguous if it had another form before.
    private func become(_ container: Kind) {
        guard !isTooDeep else { return }
        let isSameForm = kind == .empty || kind == container
        kind = isSameForm ? container : .ambiguous
    }

    /// Sets a value that is neither a list nor an object.
    fileprivate func setValue(_ node: Parameters.Node) {
        guard !isTooDeep else { return }
        kind = kind == .empty ? .value : .ambiguous
        value = node
    }

    fileprivate var count: Int { members.count }
    /// The index of the next element of a list.
    fileprivate var nextKey: PlainKey { PlainKey(intValue: count) }

    /// Appends an element to a list.
    @inline(never)
    fileprivate func append(_ encoder: ParameterEncoder) {
        if !isTooDeep { members.append(Member(name: "", encoder: encoder)) }
    }

    fileprivate func setMember(_ key: any CodingKey, _ node: Parameters.Node) {
        setMember(key.stringValue, inner(key, node))
    }

    /// Sets a member of an object, replacing one of the same name, as JSONEncoder does.
    private func setMember(_ name: String, _ encoder: ParameterEncoder) {
        guard !isTooDeep else { return }
        if let position = positions[name] {
            members[position].encoder = encoder
        } else {
            positions[name] = members.count
            members.append(Member(name: name, encoder: encoder))
        }
    }

    /// Encodes a value as a member of an object.
    @inline(never)
    fileprivate func encodeMember(_ value: any Encodable, forKey key: any CodingKey) throws {
        let member = inner(key)
        try member.encode(value)
        setMember(key.stringValue, member)
    }

    /// Encodes a value as the next element of a list.
    @inline(never)
    fileprivate func encodeElement(_ value: any Encodable) throws {
        let element = inner(nextKey)
        try element.encode(value)
        append(element)
    }

    /// Returns the encoder of a member, for a nested container. The first call for a name adds the member.
    fileprivate func memberEncoder(for key: any CodingKey) -> ParameterEncoder {
        if let position = positions[key.stringValue] { return members[position].encoder }
        let member = inner(key)
        setMember(key.stringValue, member)
        return member
    }

    /// Returns the encoded value. A value that encodes nothing is an empty object.
    private func node() -> Parameters.Node {
        switch kind {
        case .empty: return .object([:])
        case .value: return value
        case .list: return Parameters.Node(list: members.map { $0.encoder.node() })
        case .object:
            let ordered = isSorted ? members.sorted { $0.name < $1.name } : members
            let fields: [Parameters.Element] = ordered.map { ($0.name, $0.encoder.node()) }
            // A `Patch` that keeps its field is left out.
            return .object(Parameters(fields: fields.filter { !$0.value.isAbsent }))
        case .ambiguous: return Parameters.Node(.invalid("it is encoded as several things that are not one value"))
        }
    }
}

/// A type without an order. Its members are sorted, so that each request is the same.
private protocol Unordered {}
extension Dictionary: Unordered {}

private struct KeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ParameterEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) {
        encoder.setMember(key, .null)
    }

    func encode(_ value: some Encodable, forKey key: Key) throws { try encoder.encodeMember(value, forKey: key) }

    // The protocol has implementations for these types, which throw and would be used instead of the generic function.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, macCatalyst 18, *)
    func encode(_ value: Int128, forKey key: Key) throws { try encoder.encodeMember(value, forKey: key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, macCatalyst 18, *)
    func encode(_ value: UInt128, forKey key: Key) throws { try encoder.encodeMember(value, forKey: key) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        superEncoder(forKey: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        superEncoder(forKey: key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        encoder.memberEncoder(for: PlainKey(stringValue: "super"))
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        encoder.memberEncoder(for: key)
    }
}

private struct UnkeyedContainer: UnkeyedEncodingContainer {
    let encoder: ParameterEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.count }

    func encodeNil() {
        encoder.append(encoder.inner(encoder.nextKey, .null))
    }

    func encode(_ value: some Encodable) throws { try encoder.encodeElement(value) }

    // The protocol has implementations for these types, which throw and would be used instead of the generic function.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, macCatalyst 18, *)
    func encode(_ value: Int128) throws { try encoder.encodeElement(value) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, macCatalyst 18, *)
    func encode(_ value: UInt128) throws { try encoder.encodeElement(value) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        superEncoder().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        superEncoder().unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        let element = encoder.inner(encoder.nextKey)
        encoder.append(element)
        return element
    }
}

private struct SingleValueContainer: SingleValueEncodingContainer {
    let encoder: ParameterEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() {
        encoder.setValue(.null)
    }

    func encode(_ value: some Encodable) throws { try encoder.encodeSingle(value) }

    // The protocol has implementations for these types, which throw and would be used instead of the generic function.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, macCatalyst 18, *)
    func encode(_ value: Int128) throws { try encoder.encodeSingle(value) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, macCatalyst 18, *)
    func encode(_ value: UInt128) throws { try encoder.encodeSingle(value) }
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
