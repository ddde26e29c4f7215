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
    /// If the values, or the elements of a list, are an enum of numbers: the kind of these numbers.
    var kindOfEnum: Schema.Kind?

    var isOptional: Bool { type.hasSuffix("?") }

    /// The name as code.
    var code: String { SwiftName.code(name) }

    /// The code for the value that is sent.
    var value: String { constant ?? code }

    /// The code for the value as a parameter, without nulls in lists and dictionaries.
    var parameterValue: String { constant ?? schema.parameterValue(code, isOptional: isOptional) }

    /// The code for a list as a parameter that states its style. A value of the type `Patch` has no such form.
    ///
    ///     .list(ids, as: .commas)
    ///     ids.map { Parameters.Node.list($0, as: .commas) }       // for an optional list
    func list(_ value: String, as style: ListStyle) -> String {
        let isPatch = type.hasPrefix("Patch<")
        if isPatch { return value }
        guard isOptional else { return ".list(\(value), as: .\(style.rawValue))" }
        // In `ids?.map { … }.map { … }`, the second call would be about the elements.
        let optionalList = value == code ? value : "(\(value))"
        return "\(optionalList).map { Parameters.Node.list($0, as: .\(style.rawValue)) }"
    }

    /// The declaration without `var`: the name, the type and the initial value. A type that is obvious from the value
    /// is left out, but not in public code.
    ///
    ///     name: String?
    ///     page = 1
    ///     discount: Patch<Double> = .keep
    func declaration(isPublic: Bool) -> String {
        guard let initialValue else { return "\(code): \(type)" }
        let valueShowsType = ["Int", "String", "Bool", "UUID"].contains(type)
        if valueShowsType, !isPublic { return "\(code) = \(initialValue)" }
        return "\(code): \(type) = \(initialValue)"
    }
}

extension Schema {
    /// The code for a value as a parameter. Parameters cannot represent null, so the code drops the elements of lists
    /// and dictionaries that are nil:
    ///
    ///     numbers.compactMap { $0 }              // for the type [Int?]
    ///     grid?.map { $0.compactMap { $0 } }     // for the type [[Int?]]?
    ///     headers.compactMapValues { $0 }        // for the type [String: String?]
    ///
    /// For other types, the code is that of the value itself.
    ///
    /// - Parameters:
    ///   - value: The code for the value: the name of a property, or `$0` in a closure.
    ///   - isOptional: Whether the value itself may be nil.
    /// - Returns: The code.
    func parameterValue(_ value: String, isOptional: Bool = false) -> String {
        guard hasNilsInside else { return value }
        let chainableValue = isOptional ? "\(value)?" : value
        switch kind {
        case .list(let element):
            // If the elements themselves cannot be nil, `map` leads to the nils deeper inside.
            let function = element.canBeNil ? "compactMap" : "map"
            return "\(chainableValue).\(function) { \(element.parameterValueInClosure) }"
        case .dictionary(let element):
            let function = element.canBeNil ? "compactMapValues" : "mapValues"
            return "\(chainableValue).\(function) { \(element.parameterValueInClosure) }"
        default:
            return value
        }
    }

    /// The code of ``parameterValue(_:isOptional:)`` for an element, inside of the closure that gets the element as
    /// `$0`: `$0`, or `$0.compactMap { $0 }` for a list that holds nils.
    private var parameterValueInClosure: String { parameterValue("$0", isOptional: isNullable) }

    /// Whether a list or a dictionary holds values that can be nil, at any depth: true for the types `[Int?]` and
    /// `[[Int?]]`, but not for `[Int]?`.
    private var hasNilsInside: Bool {
        switch kind {
        case .list(let element), .dictionary(let element): element.canBeNil || element.hasNilsInside
        default: false
        }
    }

    /// Whether values of this schema are nil if they are null. `JSONValue` has a case for null instead.
    fileprivate var canBeNil: Bool { isNullable && !isAny }
}

// MARK: - Types

/// The use of a value that decides on its Swift type.
enum TypeUse {
    /// The value is JSON. Its elements may be null, so they can be optional.
    case json
    /// The value is sent as JSON, in some requests as a parameter. A parameter cannot represent null, so its elements
    /// are never optional.
    case jsonWithoutNulls
    /// The value is only sent as a parameter, for example in a form. Its elements are never optional, and bytes are a
    /// file.
    case parameter

    /// Chooses the use for the members or variants of a type, which decides on the types of their values:
    ///
    ///     Uses of the type                     Use                  List            Bytes
    ///     read, also if sent in any way        json                 [Int?]          String
    ///     only encoded as JSON                 json                 [Int?]          String
    ///     encoded and sent as a parameter      jsonWithoutNulls     [Int]           String
    ///     only sent as a parameter             parameter            [Int]           FilePart
    init(_ uses: Uses) {
        if uses.isRead {
            // A list in a response may contain nulls. If the value is then sent as a parameter, the generated code
            // leaves them out.
            self = .json
        } else if !uses.contains(.parameter) {
            self = .json
        } else if uses.contains(.encoded) {
            self = .jsonWithoutNulls
        } else {
            self = .parameter
        }
    }
}

extension Plan {
    /// The Swift type of a schema's values, such as `String`, `[Int]` or `Order`. It is not optional, even if the
    /// values may be null. The use of the values decides whether the elements of a list can be optional, and whether
    /// bytes are a file or a text.
    func typeName(_ schema: Schema, for use: TypeUse = .json) -> String {
        switch schema.kind {
        case .any: "JSONValue"
        case .boolean: "Bool"
        case .integer(let type): type.rawValue
        case .number: "Double"
        case .string, .constant: "String"
        case .fixed(_, let kind): typeName(Schema(kind, place: schema.place), for: use)
        case .date: "Date"
        // The decoder reads numbers as dates only if all dates of the API are numbers.
        case .unixTime: coding.datesAreNumbers ? "Date" : "Int"
        // In a form, bytes are a file. In JSON, they are a text such as Base64.
        case .bytes: use == .parameter ? "FilePart" : "String"
        case .list(let element): "[\(elementTypeName(element, for: use))]"
        case .dictionary(let element): "[String: \(elementTypeName(element, for: use))]"
        case .model(let id): modelTypeName(id, for: use)
        }
    }

    /// The type of a model: its own struct or enum, such as `Order`; or the API's generic page, such as
    /// `ShopPage<Order>`.
    private func modelTypeName(_ id: ModelID, for use: TypeUse) -> String {
        guard let element = pageElements[id] else { return types[id]?.name ?? "JSONValue" }
        let page = types[GenericPage.id]?.name ?? ""
        return "\(page)<\(elementTypeName(element, for: use))>"
    }

    /// The type of a list's or dictionary's elements, such as `Int?` for elements that may be null.
    private func elementTypeName(_ element: Schema, for use: TypeUse) -> String {
        let isOptional = use == .json && element.canBeNil
        return typeName(element, for: use) + (isOptional ? "?" : "")
    }
}

extension Plan {
    /// The code for the only known value of an enum: `.card`. Nil for other values, and for an enum of several.
    func onlyValue(ofEnum schema: Schema) -> String? {
        guard case .model(let id) = schema.kind else { return nil }
        let names = TypeWriter(self, id)?.namesOfValues ?? []
        return names.count == 1 ? ".\(names[0])" : nil
    }

    /// The kind of the numbers of an enum; nil for other values.
    func kindOfNumbers(ofEnum schema: Schema) -> Schema.Kind? {
        if case .numbers(_, let kind)? = model(schema)?.kind { kind } else { nil }
    }
}

// MARK: - Properties of models

/// What the uses of a model mean for its properties.
private struct ModelUse {
    /// Whether values are read from JSON.
    let isRead: Bool
    /// Whether callers create values to send. The properties of such models are variables.
    let isSent: Bool
    /// Whether values are only sent as parameters, and never read or encoded.
    let isOnlyParameter: Bool
    /// The use for which the types of properties are chosen.
    let typeUse: TypeUse

    /// Derives the flags from the uses of a model: whether its values are read, sent, or only sent as parameters.
    ///
    /// With the option `--codable`, models that are read get the use `.encoded`, so that a program can store them.
    /// Storing is not sending. So a model that is read does not count as sent, and its properties are declared with
    /// `let`.
    init(_ uses: Uses, isCodable: Bool) {
        isRead = uses.isRead
        let isEncodedForStorage = uses.isRead && isCodable
        isSent = uses.isWritten && !isEncodedForStorage
        isOnlyParameter = uses.contains(.parameter) && !uses.contains(.encoded) && !uses.isRead
        typeUse = TypeUse(uses)
    }
}

extension Plan {
    /// The properties of a schema's values; empty if these are not objects.
    func properties(of schema: Schema) -> [Property] {
        guard case .model(let id) = schema.kind, let object = object(schema), let type = types[id] else { return [] }
        return properties(of: object, id: id, type.uses)
    }

    /// Creates the properties of a model, in the order of their declarations. Each has a name of its own.
    ///
    /// They depend on the uses of the model: some members exist only in values that are read, or only in those that are
    /// sent.
    func properties(of object: Object, id: ModelID, _ uses: Uses) -> [Property] {
        let typeName = Words(types[id]?.name ?? "")
        let modelUse = ModelUse(uses, isCodable: options.isCodable)
        // Such a model is a variant of a union whose variants are told apart by their members. It keeps even a member
        // such as `type: "card"`, whose text is always the same.
        let isUntaggedVariant = untaggedVariants.contains(id)
        var takenNames: Set<String> = []
        return members(of: object, uses, isVariant: isUntaggedVariant).map { member in
            let name = freeName(member.name, in: &takenNames, of: typeName, kind: member.schema.kind)
            var property = property(of: member, name: name, isIndirect: isIndirect(member, of: id), modelUse)
            let canBeCleared = member.schema.canBeNil && !member.isRequired && !modelUse.isRead
            if canBeCleared, objectsOfUpdates.contains(id) {
                // In an update, null and an absent member differ.
                property.type = "Patch<\(property.type.dropLast())>"
                property.initialValue = ".keep"
            }
            return property
        }
    }

    /// Whether a struct would contain itself through a member. The member then has the type `Indirect<…>`. The plan
    /// has such members in ``Plan/indirectMembers``.
    private func isIndirect(_ member: Object.Member, of id: ModelID) -> Bool {
        indirectMembers.contains(MemberKey(model: id, name: member.name))
    }

    /// Creates the property of a model for a member. It has the first of these forms that applies:
    ///
    ///     var type = "card"            // sent, and always the same value
    ///     var type: Kind = .card       // sent, and the only value of an enum
    ///     var price: Patch<Double>     // only sent, and required, but may be null
    ///     var note: String?            // may be absent, or read as null
    ///     var name: String             // required
    private func property(
        of member: Object.Member, name: String, isIndirect: Bool, _ modelUse: ModelUse
    ) -> Property {
        let schema = member.schema
        var type = typeName(schema, for: modelUse.typeUse)
        if isIndirect { type = "Indirect<\(type)>" }
        var property = Property(
            name: name, wireName: member.name, type: type, schema: schema, isVariable: modelUse.isSent)
        let isRequiredButNullable = member.isRequired && schema.isNullable
        if modelUse.isSent, let literal = member.onlyLiteral {
            setOnlyValue(literal, of: &property, modelUse)
        } else if modelUse.isSent, member.isAlwaysThere, let value = onlyValue(ofEnum: schema) {
            property.initialValue = value
        } else if isRequiredButNullable, !modelUse.isRead {
            // An Optional that is nil is not sent at all, but a `Patch` can send null.
            property.type = "Patch<\(type)>"
        } else if member.isReadAsOptional {
            property.type = "\(type)?"
        }
        return property
    }

    /// Gives a property the literal of the value that is always sent for it.
    ///
    /// In a model that is encoded as JSON, the literal is the initial value of the property, since an encoder only
    /// writes properties. In a model that is only sent as a parameter, the property is not declared: the code that
    /// creates the parameter contains the literal.
    private func setOnlyValue(_ literal: String, of property: inout Property, _ modelUse: ModelUse) {
        if modelUse.isOnlyParameter {
            property.constant = literal
        } else {
            property.initialValue = literal
        }
    }

    /// Returns a name for a member that is not taken, and adds it to the taken ones.
    ///
    /// The name is usually that of the member: `html_url` becomes `htmlURL`. There are these exceptions:
    /// - A Bool whose name is a keyword of Swift gets "is": `private` becomes `isPrivate`.
    /// - A reserved name, which has another meaning in the type, gets the name of the type before it: `init` in a
    ///   `File` becomes `fileInit`.
    /// - A taken name gets a number.
    ///
    /// - Parameters:
    ///   - name: The name of the member in JSON.
    ///   - taken: The names of other members, in lower case.
    ///   - owner: The name of the type or the noun that the member belongs to.
    ///   - reserved: Names that are reserved in this type, besides those in `SwiftName.reservedMembers`, which are
    ///     reserved in all types.
    ///   - kind: The kind of the member's values.
    /// - Returns: The name, which may be a keyword.
    func freeName(
        _ name: String, in taken: inout Set<String>, of owner: Words, reserved: Set<String> = [],
        kind: Schema.Kind = .any
    ) -> String {
        var member = SwiftName.member(name)
        let isKeyword = SwiftName.code(member) != member
        if isKeyword, kind == .boolean { member = SwiftName.member("is_\(name)") }
        let isReserved = reserved.contains(member) || SwiftName.reservedMembers.contains(member)
        if isReserved { member = Self.nameWithOwner(name, member: member, of: owner) }
        return SwiftName.unique(member, in: &taken)
    }

    /// The name of a member after that of its owner: `filePath` for the `path` of a file. A member called `self` is
    /// `selfLink`, since it is a link in most APIs.
    private static func nameWithOwner(_ name: String, member: String, of owner: Words) -> String {
        if member == "self" { return "selfLink" }
        return Words(words: owner.words + Words(name).words).lowerCamel
    }
}

extension Object.Member {
    /// The Swift literal of the only value of a member; nil if there may be others, or if the member may be absent or
    /// null.
    var onlyLiteral: String? { isAlwaysThere ? schema.kind.onlyLiteral : nil }

    /// Whether the member has a value in each object.
    var isAlwaysThere: Bool { isRequired && !schema.isNullable }

    /// Whether the member is read as an Optional, since it may be absent or null. `JSONValue` has a case for null
    /// instead.
    fileprivate var isReadAsOptional: Bool {
        if schema.isAny { return !isRequired }
        return !isRequired || schema.isNullable
    }
}
