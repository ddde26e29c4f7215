/// A stored property of a struct or of an endpoint.
struct Property {
    /// The name in Swift, not in backticks.
    var name: String
    /// The name as it is sent or read.
    var wireName: String
    var type: String
    /// The code for the default value.
    var initialValue: String?
    /// The literal that is always sent. If there is one, no property is declared.
    var constant: String?
    var schema: Schema
    var isVariable = true

    var isOptional: Bool { type.hasSuffix("?") }

    /// The name as code.
    var code: String { SwiftName.code(name) }

    /// The code for the value that is sent.
    var value: String { constant ?? code }

    /// The code for the value as a parameter, without nulls in lists and dictionaries.
    var parameterValue: String { constant ?? schema.parameterValue(code, isOptional: isOptional) }

    /// The name, the type and the initial value. If the property is not public, a type that is obvious from the value
    /// is left out.
    func declaration(isPublic: Bool) -> String {
        guard let initialValue else { return "\(code): \(type)" }
        let valueShowsType = ["Int", "String", "Bool", "UUID"].contains(type)
        if valueShowsType, !isPublic { return "\(code) = \(initialValue)" }
        return "\(code): \(type) = \(initialValue)"
    }
}

extension Schema {
    /// The code for a value as a parameter. Elements that are nil are left out, since parameters cannot represent null.
    func parameterValue(_ value: String, isOptional: Bool = false) -> String {
        guard hasNullsInside else { return value }
        let chainable = isOptional ? "\(value)?" : value
        switch kind {
        case .list(let inner):
            let function = inner.isReadAsNil ? "compactMap" : "map"
            return "\(chainable).\(function) { \(inner.parameterElement) }"
        case .dictionary(let inner):
            let function = inner.isReadAsNil ? "compactMapValues" : "mapValues"
            return "\(chainable).\(function) { \(inner.parameterElement) }"
        default: return value
        }
    }

    /// The code for an element of a list as a parameter, inside a closure.
    private var parameterElement: String { parameterValue("$0", isOptional: isNullable) }

    /// Whether a list or a dictionary holds values that are read as nil, at any depth.
    private var hasNullsInside: Bool {
        switch kind {
        case .list(let inner), .dictionary(let inner): inner.isReadAsNil || inner.hasNullsInside
        default: false
        }
    }

    /// Whether an element of this schema is read as an Optional. `JSONValue` has a case for null instead.
    fileprivate var isReadAsNil: Bool { isNullable && !isAny }
}

// MARK: - Types

extension Plan {
    /// The Swift type of a schema's values, not wrapped in an Optional even if they may be null.
    func typeName(_ schema: Schema, _ uses: Uses = .decoded) -> String {
        switch schema.kind {
        case .any: "JSONValue"
        case .boolean: "Bool"
        case .integer(let isLong): isLong ? "Int64" : "Int"
        case .number: "Double"
        case .string, .constant: "String"
        case .date: "Date"
        // The decoder reads numbers as dates only if all dates of the API are numbers.
        case .unixTime: datesAreNumbers ? "Date" : "Int"
        case .bytes: uses == .parameter ? "FilePart" : "String"
        case .list(let inner): "[\(elementName(inner, uses))]"
        case .dictionary(let inner): "[String: \(elementName(inner, uses))]"
        case .model(let id): modelTypeName(id, uses)
        }
    }

    /// The type of a model: its own struct or enum, or the API's generic page with the type of its elements.
    private func modelTypeName(_ id: ModelID, _ uses: Uses) -> String {
        guard let element = pageElements[id] else { return types[id]?.name ?? "JSONValue" }
        return "\(types[Self.page]?.name ?? "")<\(elementName(element, uses))>"
    }

    /// The type of an element. It is optional only in values that are read, since null elements are not sent.
    private func elementName(_ schema: Schema, _ uses: Uses) -> String {
        let isOptional = uses == .decoded && schema.isReadAsNil
        return typeName(schema, uses) + (isOptional ? "?" : "")
    }
}

// MARK: - Properties of models

/// The consequences of a model's uses for its properties.
private struct ModelUse {
    let isRead: Bool
    /// Whether callers create values to send. Their properties are variables.
    let isWritten: Bool
    /// Whether values are only sent as parameters.
    let isOnlyParameter: Bool
    /// The use for which the types of properties are chosen.
    let typeUse: Uses

    init(_ uses: Uses, isCodable: Bool) {
        isRead = uses.contains(.decoded)
        let isSent = uses.contains(.encoded) || uses.contains(.parameter)
        let isReadModelMadeCodable = isCodable && isRead
        isWritten = isSent && !isReadModelMadeCodable
        isOnlyParameter = uses.contains(.parameter) && !isRead && !uses.contains(.encoded)
        if isOnlyParameter {
            typeUse = .parameter
        } else if uses.contains(.parameter), !isRead {
            // Elements are not optional, since parameters cannot represent null.
            typeUse = .encoded
        } else {
            typeUse = .decoded
        }
    }
}

extension Plan {
    /// The properties of a schema's values; empty if these are not objects.
    func properties(of schema: Schema) -> [Property] {
        guard case .model(let id) = schema.kind, let object = object(schema), let type = types[id] else { return [] }
        return properties(of: object, id: id, type.uses)
    }

    /// The properties of a model.
    func properties(of object: Object, id: ModelID, _ uses: Uses) -> [Property] {
        let owner = Words(types[id]?.name ?? "")
        let use = ModelUse(uses, isCodable: options.isCodable)
        var taken: Set<String> = []
        return members(of: object, uses, isVariant: untaggedVariants.contains(id)).map { member in
            let name = freeName(member.name, in: &taken, of: owner, kind: member.schema.kind)
            let isIndirect = indirectMembers.contains(MemberKey(model: id, name: member.name))
            return property(of: member, name: name, isIndirect: isIndirect, use)
        }
    }

    private func property(of member: Object.Member, name: String, isIndirect: Bool, _ use: ModelUse) -> Property {
        let schema = member.schema
        var type = typeName(schema, use.typeUse)
        if isIndirect { type = "Indirect<\(type)>" }
        var property = Property(
            name: name, wireName: member.name, type: type, schema: schema, isVariable: use.isWritten)
        if use.isWritten, member.isRequired, !schema.isNullable, case .constant(let text) = schema.kind {
            let literal = Lines.literal(text)
            if use.isOnlyParameter {
                property.constant = literal
            } else {
                property.initialValue = literal
            }
        } else if member.isRequired, schema.isNullable, !use.isRead {
            property.type = "Patch<\(type)>"
        } else if member.isReadAsOptional {
            property.type = "\(type)?"
        }
        return property
    }

    /// Returns a name for a member that is not taken, and adds it to the taken ones.
    ///
    /// A reserved name gets the name of its owner: `filePath`. A Bool whose name is a keyword gets "is": `isPrivate`.
    func freeName(
        _ name: String, in taken: inout Set<String>, of owner: Words, reserved: Set<String> = [],
        kind: Schema.Kind = .any
    ) -> String {
        var member = SwiftName.member(name)
        let isKeyword = SwiftName.code(member) != member
        if isKeyword, kind == .boolean { member = SwiftName.member("is_\(name)") }
        let isReserved = reserved.contains(member) || SwiftName.reservedMembers.contains(member)
        if isReserved { member = Self.longName(name, member: member, of: owner) }
        return SwiftName.unique(member, in: &taken)
    }

    /// The name with that of its owner: `filePath` for the `path` of a file. A member called `self` is `selfLink`,
    /// since it is a link in most APIs.
    private static func longName(_ name: String, member: String, of owner: Words) -> String {
        if member == "self" { return "selfLink" }
        return Words(words: owner.words + Words(name).words).lowerCamel
    }
}

extension Object.Member {
    /// Whether the member is read as an Optional, since it may be absent or null. `JSONValue` has a case for null
    /// instead.
    fileprivate var isReadAsOptional: Bool {
        if schema.isAny { return !isRequired }
        return !isRequired || schema.isNullable
    }
}
