/// A stored property of a struct or of an endpoint.
struct Property {
    /// The name in Swift, not in backticks.
    var name: String
    /// The name as it is sent or read.
    var wireName: String
    var type: String
    /// The value that it has unless the caller chooses another one.
    var initialValue: String?
    /// The literal that is always sent in its place: there is no property.
    var constant: String?
    var schema: Schema
    var isVariable = true

    var isOptional: Bool { type.hasSuffix("?") }
    /// The name as code.
    var code: String { SwiftName.code(name) }
    /// The name, the type and the initial value. A type that the value shows is left out, unless it is public.
    func declaration(isPublic: Bool) -> String {
        guard let initialValue else { return "\(code): \(type)" }
        let isShown = ["Int", "String", "Bool", "UUID"].contains(type) && !isPublic
        return "\(code)\(isShown ? "" : ": \(type)") = \(initialValue)"
    }

    /// What is sent.
    var value: String { constant ?? code }
    /// What is sent as a parameter, without nulls in lists and dictionaries.
    var parameterValue: String { constant ?? schema.parameterValue(code, isOptional: isOptional) }
}

extension Schema {
    /// The code for a value as a parameter: elements that are read as nil are not sent.
    func parameterValue(_ value: String, isOptional: Bool = false) -> String {
        guard hasNullsInside else { return value }
        let dot = isOptional ? "?." : "."
        switch kind {
        case .list(let inner):
            let inside = inner.parameterValue("$0", isOptional: inner.isNullable)
            return "\(value)\(dot)\(inner.isReadAsNil ? "compactMap" : "map") { \(inside) }"
        case .dictionary(let inner):
            let inside = inner.parameterValue("$0", isOptional: inner.isNullable)
            return "\(value)\(dot)\(inner.isReadAsNil ? "compactMapValues" : "mapValues") { \(inside) }"
        default: return value
        }
    }

    /// Whether a list or a dictionary holds values that are read as nil, at any depth.
    private var hasNullsInside: Bool {
        switch kind {
        case .list(let inner), .dictionary(let inner): inner.isReadAsNil || inner.hasNullsInside
        default: false
        }
    }

    /// Whether an element of this schema is read as an Optional. Any JSON value has a null of its own.
    fileprivate var isReadAsNil: Bool { isNullable && !isAny }
}

extension Plan {
    /// The Swift type of a schema's values, without whether they may be missing.
    func typeName(_ schema: Schema, _ uses: Uses = .decoded) -> String {
        switch schema.kind {
        case .any: "JSONValue"
        case .boolean: "Bool"
        case .integer(let isLong): isLong ? "Int64" : "Int"
        case .number: "Double"
        case .string, .constant: "String"
        case .date: "Date"
        case .unixTime: datesAreNumbers ? "Date" : "Int"
        case .bytes: uses == .parameter ? "FilePart" : "String"
        case .list(let inner): "[\(elementName(inner, uses))]"
        case .dictionary(let inner): "[String: \(elementName(inner, uses))]"
        case .model(let id):
            if let element = pageElements[id] {
                "\(types[Self.page]?.name ?? "")<\(elementName(element, uses))>"
            } else {
                types[id]?.name ?? "JSONValue"
            }
        }
    }

    /// Null in a list is read, but not sent.
    private func elementName(_ schema: Schema, _ uses: Uses) -> String {
        let isOptional = schema.isReadAsNil && uses == .decoded
        return typeName(schema, uses) + (isOptional ? "?" : "")
    }

    /// The properties of a schema's values; empty if these are not objects.
    func properties(of schema: Schema) -> [Property] {
        guard case .model(let id) = schema.kind, let object = object(schema), let type = types[id] else { return [] }
        return properties(of: object, id: id, type.uses)
    }

    /// The properties of a model.
    func properties(of object: Object, id: ModelID, _ uses: Uses) -> [Property] {
        var taken: Set<String> = []
        let isRead = uses.contains(.decoded)
        let isWritten = !uses.isDisjoint(with: [.encoded, .parameter]) && !(options.isCodable && isRead)
        let isParameter = uses.contains(.parameter) && !isRead && !uses.contains(.encoded)
        let typeUse: Uses =
            if isParameter {
                .parameter
            } else if uses.contains(.parameter), !isRead {
                // Nulls in lists could be sent as JSON, but not as parameters.
                .encoded
            } else {
                .decoded
            }
        return members(of: object, uses, isVariant: untaggedVariants.contains(id)).map { member in
            let name = freeName(member.name, in: &taken, of: Words(types[id]?.name ?? ""), kind: member.schema.kind)
            var type = typeName(member.schema, typeUse)
            if indirectMembers.contains("\(id)\u{0}\(member.name)") { type = "Indirect<\(type)>" }
            var property = Property(
                name: name, wireName: member.name, type: type, schema: member.schema, isVariable: isWritten)
            if case .constant(let text) = member.schema.kind, member.isRequired, isWritten, !member.schema.isNullable {
                let literal = Lines.literal(text)
                if isParameter { property.constant = literal } else { property.initialValue = literal }
            } else if member.schema.isNullable, member.isRequired, !isRead {
                property.type = "Patch<\(type)>"
            } else if !member.isRequired || member.schema.isNullable, !(member.schema.isAny && member.isRequired) {
                property.type += "?"
            }
            return property
        }
    }

    /// A name for a member that no other member has. To one that is reserved, that of its owner is added, and a Bool
    /// whose name is a keyword is `isPrivate`.
    func freeName(
        _ name: String, in taken: inout Set<String>, of owner: Words, reserved: Set<String> = [],
        kind: Schema.Kind = .any
    ) -> String {
        var member = SwiftName.member(name)
        if case .boolean = kind, SwiftName.code(member) != member { member = SwiftName.member("is_\(name)") }
        let isReserved = reserved.contains(member) || SwiftName.reservedMembers.contains(member)
        let words = member == "self" ? ["self", "link"] : owner.words + Words(name).words
        return SwiftName.unique(isReserved ? Words(words: words).lowerCamel : member, in: &taken)
    }
}
