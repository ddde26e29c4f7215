import APIKitCore
import APIKitTesting

/// Finds members that a model decodes although its schema does not describe them.
///
/// If the model decodes an optional member under a misspelled name, the property is always nil, and no error is thrown.
/// The search therefore has two steps:
///
/// 1. A sample value with all members of the schema is decoded. A stored property that is still nil is suspicious: it
///    may belong to a member that the schema does not describe, or it may not be decoded at all.
/// 2. A member with the property's name and a value of the wrong type is added to the sample. If decoding now fails at
///    this member, the model decodes it.
struct UndescribedMembers {
    /// A member that the model decodes.
    struct Member {
        /// The coding path of the member.
        let names: [String]
        /// The place in the description where the member should be described.
        let pointer: String
    }

    /// A value with all members that the schema describes.
    private let sample: JSONValue
    private let schema: Node
    private let decode: (Data) throws -> Any
    /// The paths of the objects that the model decodes as dictionaries. A dictionary decodes members of any name, so no
    /// members are added to these objects.
    private let dictionaries: Set<String>

    /// A property rejects at least one of these values, unless its type accepts any JSON.
    private static let wrongValues: [JSONValue] = [.literal("true"), .string("text")]
    /// A name that only a dictionary decodes.
    private static let unusualName = "undescribedmember"
    /// How many dictionaries and how many properties are examined. Each of them takes at least one decoding.
    private static let limit = 40

    private init(sample: JSONValue, schema: Node, decode: @escaping (Data) throws -> Any) {
        self.sample = sample
        self.schema = schema
        self.decode = decode
        dictionaries = Self.dictionaries(in: sample, decode)
    }

    /// Finds the members that a model decodes and its schema does not describe.
    ///
    /// - Parameters:
    ///   - sample: A value with all members that the schema describes.
    ///   - schema: The schema.
    ///   - decode: Decodes the model.
    /// - Returns: The members, sorted by the names of their properties.
    static func find(in sample: JSONValue, _ schema: Node, _ decode: @escaping (Data) throws -> Any) -> [Member] {
        guard let model = try? decode(Data(sample.text().utf8)) else { return [] }
        var properties = NilProperties()
        properties.collect(from: model)
        guard !properties.names.isEmpty else { return [] }
        let search = UndescribedMembers(sample: sample, schema: schema, decode: decode)
        let suspects = properties.names.sorted().prefix(limit)
        return suspects.compactMap { search.member(named: $0) }
    }

    /// The paths of the objects that the model decodes as dictionaries: those in which it decodes an unusual name.
    private static func dictionaries(in sample: JSONValue, _ decode: (Data) throws -> Any) -> Set<String> {
        var found: Set<String> = []
        for value in wrongValues {
            // Decoding stops at the first error, so each attempt finds one dictionary.
            while found.count < limit {
                let probe = sample.addingToObjects(unusualName, value, path: [], except: found)
                guard let names = path(ofFailureAt: unusualName, decoding: probe, decode) else { break }
                let isNew = found.insert(SampleValue.path(of: names.dropLast())).inserted
                guard isNew else { break }
            }
        }
        return found
    }

    /// The undescribed member that belongs to a stored property; nil if the model does not decode a member of that name
    /// or if the schema allows it.
    private func member(named property: String) -> Member? {
        // With a snake case key strategy, the name is not that of the property.
        for name in Set([property, property.snakeCased]).sorted() {
            for value in Self.wrongValues {
                let probe = sample.addingToObjects(name, value, path: [], except: dictionaries)
                guard let names = Self.path(ofFailureAt: name, decoding: probe, decode) else { continue }
                guard let parent = schema.member(at: names.dropLast()), !parent.allowsOtherMembers else { continue }
                return Member(names: names, pointer: Node.pointer(parent.pointer, "properties"))
            }
        }
        return nil
    }

    /// The coding path of a member with the given name, if decoding a value fails at it; otherwise nil.
    private static func path(
        ofFailureAt name: String, decoding value: JSONValue, _ decode: (Data) throws -> Any
    ) -> [String]? {
        do {
            _ = try decode(Data(value.text().utf8))
            return nil
        } catch {
            let names = SampleValue.names(of: error)
            let isCause = SampleValue.path(of: names.suffix(1)) == SampleValue.path(of: [name])
            return isCause ? names : nil
        }
    }
}

/// Collects the names of stored properties that are nil, in a model and all values that it contains.
private struct NilProperties {
    private(set) var names: Set<String> = []
    private var count = 0
    // The limits end the collection for a model whose objects refer to one another in a circle.
    private static let countLimit = 10_000
    private static let depthLimit = 20

    /// Adds the names of the nil properties of a value and of the values within it.
    mutating func collect(from value: Any, depth: Int = 0) {
        count += 1
        guard count < Self.countLimit, depth < Self.depthLimit else { return }
        // These types are decoded as single values. Their private properties are not members of the JSON.
        let isSingleValue = value is URL || value is Date || value is Data || value is UUID || value is Decimal
        if isSingleValue { return }
        let mirror = Mirror(reflecting: value)
        let hasProperties = mirror.displayStyle == .struct || mirror.displayStyle == .class
        for (label, child) in mirror.children {
            // Elements of lists and values within optionals have no name of their own.
            if hasProperties, let label, isNil(child) {
                names.insert(label)
            } else {
                collect(from: child, depth: depth + 1)
            }
        }
    }

    private func isNil(_ value: Any) -> Bool {
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .optional && mirror.children.isEmpty
    }
}

extension JSONValue {
    /// The value with a member added to each of its objects, except to those that already have a member of that name
    /// and to those at the given paths.
    fileprivate func addingToObjects(
        _ name: String, _ value: JSONValue, path: [String], except paths: Set<String>
    ) -> JSONValue {
        switch self {
        case .string, .literal:
            return self
        case .list(let values):
            return .list(
                values.enumerated().map { index, element in
                    element.addingToObjects(name, value, path: path + [String(index)], except: paths)
                })
        case .object(let members):
            var result: [JSONValue.Member] = members.map { member in
                let inner = member.value.addingToObjects(name, value, path: path + [member.name], except: paths)
                return (member.name, inner)
            }
            let hasMember = members.contains { $0.name == name }
            if !hasMember, !paths.contains(SampleValue.path(of: path)) { result.append((name, value)) }
            return .object(result)
        }
    }
}

extension String {
    /// `avatar_url` for `avatarURL`.
    fileprivate var snakeCased: String {
        var text = ""
        var previous: Character?
        for character in self {
            let beginsWord = character.isUppercase && previous?.isUppercase == false && previous != "_"
            if beginsWord { text.append("_") }
            text += character.lowercased()
            previous = character
        }
        return text
    }
}

extension Node {
    /// Whether a schema allows members that it does not name.
    fileprivate var allowsOtherMembers: Bool {
        parts.contains { MemberRules($0, triesPatterns: false).allowsOthers }
    }
}
