#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Parameters {
    /// Makes parameters of an Encodable value with named members, in the order in which it encodes them; nil members
    /// are left out, dates follow the ``APIRequest/parameterStyle``.
    ///
    /// ```swift
    /// var parameters: Parameters { Parameters(encoding: filter) }
    /// ```
    ///
    /// What cannot be encoded surfaces as a ``RequestError`` from ``APIRequest/httpRequest()``.
    public init(encoding value: some Encodable) {
        do {
            let node = try ParameterEncoder.node(of: value, codingPath: [])
            guard case .object(let members) = node.content else {
                throw RequestError(.parameters, "\(type(of: value)) is not encoded as members with names")
            }
            self = members
        } catch {
            let problem = "\(type(of: value)) could not be encoded: \(ErrorText.of(error))"
            self = ["parameters": ParameterNode(.invalid(problem))]
        }
    }
}

/// Takes an Encodable value apart into ``ParameterNode``s.
private final class ParameterEncoder: Encoder {
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]
    /// What has been encoded so far; a finished value, or a container that still fills up.
    var result: (() throws -> ParameterNode)?

    private var storage: Storage?

    init(codingPath: [any CodingKey]) {
        self.codingPath = codingPath
    }

    static func node(of value: some Encodable, codingPath: [any CodingKey]) throws -> ParameterNode {
        // What a query and JSON have a form of their own for must not fall apart into its members.
        if let value = value as? any ParameterValue { return value.parameterNode }
        if let data = value as? Data { return ParameterNode(.text(data.base64EncodedString())) }
        let encoder = ParameterEncoder(codingPath: codingPath)
        try value.encode(to: encoder)
        let node = try encoder.finish()
        guard value is any Unordered, case .object(let members) = node.content else { return node }
        return ParameterNode(.object(Parameters(members.sorted { $0.name < $1.name }.map { ($0.name, $0.value) })))
    }

    func finish() throws -> ParameterNode {
        try result?() ?? ParameterNode(.object([:]))
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(KeyedContainer<Key>(storage: storage(isList: false), codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        UnkeyedContainer(storage: storage(isList: true), codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        SingleValueContainer(encoder: self)
    }

    /// A type may ask for its container more than once, as a subclass does after its superclass.
    private func storage(isList: Bool) -> Storage {
        if let storage, storage.isList == isList { return storage }
        let storage = Storage(isList: isList)
        self.storage = storage
        result = storage.node
        return storage
    }
}

/// What comes without an order of its own is sorted, so that the wire is the same each time.
private protocol Unordered {}
extension Dictionary: Unordered {}

/// The members or elements of one container, in order; nested containers are finished when all is encoded.
private final class Storage {
    private var members: [(name: String, node: () throws -> ParameterNode)] = []
    let isList: Bool

    init(isList: Bool) {
        self.isList = isList
    }

    var count: Int { members.count }

    /// Adds an element.
    func append(_ node: @escaping () throws -> ParameterNode) {
        members.append(("", node))
    }

    /// Sets a member; the last one of a name counts, as with JSONEncoder.
    func set(_ name: String, _ node: @escaping () throws -> ParameterNode) {
        members.removeAll { $0.name == name }
        members.append((name, node))
    }

    func node() throws -> ParameterNode {
        if isList { return ParameterNode(.list(try members.map { try $0.node() })) }
        return ParameterNode(.object(Parameters(try members.map { ($0.name, try $0.node()) })))
    }
}

private struct KeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let storage: Storage
    let codingPath: [any CodingKey]

    func encodeNil(forKey key: Key) {
        storage.set(key.stringValue) { .null }
    }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        let node = try ParameterEncoder.node(of: value, codingPath: codingPath + [key])
        storage.set(key.stringValue) { node }
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
        let encoder = ParameterEncoder(codingPath: codingPath)
        storage.set("super", encoder.finish)
        return encoder
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        nested(key)
    }

    private func nested(_ key: Key) -> ParameterEncoder {
        let encoder = ParameterEncoder(codingPath: codingPath + [key])
        storage.set(key.stringValue, encoder.finish)
        return encoder
    }
}

private struct UnkeyedContainer: UnkeyedEncodingContainer {
    let storage: Storage
    let codingPath: [any CodingKey]
    var count: Int { storage.count }

    func encodeNil() {
        storage.append { .null }
    }

    func encode(_ value: some Encodable) throws {
        let node = try ParameterEncoder.node(of: value, codingPath: codingPath + [ListIndex(intValue: count)])
        storage.append { node }
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
        let encoder = ParameterEncoder(codingPath: codingPath + [ListIndex(intValue: count)])
        storage.append(encoder.finish)
        return encoder
    }
}

/// The place of an element in a list.
private struct ListIndex: CodingKey {
    let intValue: Int?
    var stringValue: String { intValue?.description ?? "" }

    init(intValue: Int) {
        self.intValue = intValue
    }

    init?(stringValue: String) {
        nil
    }
}

private struct SingleValueContainer: SingleValueEncodingContainer {
    let encoder: ParameterEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() {
        encoder.result = { .null }
    }

    func encode(_ value: some Encodable) throws {
        let node = try ParameterEncoder.node(of: value, codingPath: codingPath)
        encoder.result = { node }
    }
}
