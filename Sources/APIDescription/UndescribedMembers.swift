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
    private let schema: Definition
    private let decode: (Data) throws -> Any
    /// The paths of the objects that the model decodes as dictionaries, in the form of ``SampleValue/path(of:)``. A
    /// dictionary decodes members of any name, so no members are added to these objects.
    private let dictionaries: Set<String>

    /// Values of a wrong type for a property. Any type rejects at least one of them, unless it accepts any JSON: a
    /// `Bool` accepts the first one, and a `String` the second one.
    private static let wrongValues: [JSONValue] = [.bool(true), .string("text")]
    /// A name that only a dictionary decodes, since no structure has a property of this name.
    private static let unusualName = "undescribedmember"
    /// How many dictionaries and how many properties are examined. Each of them takes at least one decoding.
    private static let limit = 40

    private init(sample: JSONValue, schema: Definition, decode: @escaping (Data) throws -> Any) {
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
    static func find(in sample: JSONValue, _ schema: Definition, _ decode: @escaping (Data) throws -> Any) -> [Member] {
        guard let model = try? decode(Data(sample.text().utf8)) else { return [] }
        // The sample has all members of the schema. So a property that is nil all the same may be read from a member
        // that the schema does not describe.
        var nilProperties = NilProperties()
        nilProperties.collect(from: model)
        guard !nilProperties.names.isEmpty else { return [] }
        let search = UndescribedMembers(sample: sample, schema: schema, decode: decode)
        let suspects = nilProperties.names.sorted().prefix(limit)
        return suspects.compactMap { search.undescribedMember(of: $0) }
    }

    /// The paths of the objects in a sample that the model decodes as dictionaries.
    ///
    /// A member with an unusual name and a value of the wrong type is added to all objects of the sample. A structure
    /// ignores it, so if decoding fails at this member, the object is decoded as a dictionary.
    private static func dictionaries(in sample: JSONValue, _ decode: (Data) throws -> Any) -> Set<String> {
        var found: Set<String> = []
        for wrongValue in wrongValues {
            // Decoding stops at the first error, so each attempt finds one dictionary. The next attempt adds no member
            // to it.
            while found.count < limit {
                let probe = sample.addingToObjects((unusualName, wrongValue), except: found)
                guard let names = codingPath(ofErrorAt: unusualName, decoding: probe, by: decode) else { break }
                let dictionary = SampleValue.path(of: names.dropLast())
                // The next attempt would only find the same one again.
                if found.contains(dictionary) { break }
                found.insert(dictionary)
            }
        }
        return found
    }

    /// Looks for an undescribed member that the model decodes for a stored property.
    ///
    /// - Returns: The member; nil if the model does not decode one of that name, or if the schema allows it.
    private func undescribedMember(of property: String) -> Member? {
        // If the decoder converts names from snake case, the member of `avatarURL` is `avatar_url`.
        let names = Set([property, property.snakeCased]).sorted()
        for name in names {
            for wrongValue in Self.wrongValues {
                if let member = undescribedMember(named: name, rejecting: wrongValue) { return member }
            }
        }
        return nil
    }

    /// Tests whether the model decodes a member that the schema does not describe, and returns it.
    ///
    /// All objects of the sample get a member with the name and a value of the wrong type. A model that does not decode
    /// the member ignores it. If decoding fails at the member, the model evidently decodes it.
    ///
    /// - Parameters:
    ///   - name: The name of the member.
    ///   - wrongValue: A value that the member's type probably rejects.
    /// - Returns: The member; nil if the model accepts the value or ignores the member, or if the schema allows it.
    private func undescribedMember(named name: String, rejecting wrongValue: JSONValue) -> Member? {
        // A dictionary decodes members of any name, so an error in it would not show that the model has this one.
        let probe = sample.addingToObjects((name, wrongValue), except: dictionaries)
        guard let codingPath = Self.codingPath(ofErrorAt: name, decoding: probe, by: decode) else { return nil }
        guard let objectSchema = schema.member(at: codingPath.dropLast()) else { return nil }
        if objectSchema.allowsOtherMembers { return nil }
        return Member(names: codingPath, pointer: objectSchema.pointer(to: "properties"))
    }

    /// Decodes a value, and returns the coding path of the error if it occurs at a member with the given name;
    /// otherwise nil.
    private static func codingPath(
        ofErrorAt name: String, decoding value: JSONValue, by decode: (Data) throws -> Any
    ) -> [String]? {
        do {
            _ = try decode(Data(value.text().utf8))
            return nil
        } catch {
            let codingPath = SampleValue.names(of: error)
            // `path(of:)` makes names equal that differ only by a key strategy: `avatar_url` and `avatarUrl`.
            let isAtMember = SampleValue.path(of: codingPath.suffix(1)) == SampleValue.path(of: [name])
            return isAtMember ? codingPath : nil
        }
    }
}

/// Collects the names of stored properties that are nil, in a model and all values that it contains.
private struct NilProperties {
    private(set) var names: Set<String> = []
    private var visitedCount = 0
    // The limits end the collection for a model whose objects refer to one another in a circle.
    private static let visitedLimit = 10_000
    private static let depthLimit = 20

    /// Adds the names of the nil properties of a value and of the values within it. Properties that a class inherits
    /// are not visited.
    mutating func collect(from value: Any, depth: Int = 0) {
        visitedCount += 1
        guard visitedCount < Self.visitedLimit, depth < Self.depthLimit else { return }
        // These types are decoded as single values. Their private properties are not members of the JSON.
        let isSingleValue = value is URL || value is Date || value is Data || value is UUID || value is Decimal
        if isSingleValue { return }
        let mirror = Mirror(reflecting: value)
        // Only the labels of structures and classes are names of properties, not those of enums and tuples.
        let hasProperties = mirror.displayStyle == .struct || mirror.displayStyle == .class
        for (label, child) in mirror.children {
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
    /// The value with a member added to each of its objects, except to those that already have a member of that name.
    ///
    /// - Parameters:
    ///   - newMember: The member to add.
    ///   - excludedPaths: The paths of other objects to leave as they are, in the form of ``SampleValue/path(of:)``.
    ///   - names: The names and indexes that lead from the whole value to this one.
    /// - Returns: The new value.
    fileprivate func addingToObjects(
        _ newMember: Object.Member, except excludedPaths: Set<String>, at names: [String] = []
    ) -> JSONValue {
        switch self {
        case .null, .bool, .number, .string:
            return self
        case .array(let values):
            let newValues = values.enumerated().map { index, value in
                value.addingToObjects(newMember, except: excludedPaths, at: names + [String(index)])
            }
            return .array(newValues)
        case .object(let members):
            var newMembers: [Object.Member] = members.map { name, value in
                (name, value.addingToObjects(newMember, except: excludedPaths, at: names + [name]))
            }
            let hasMember = members.contains { $0.name == newMember.name }
            let isExcluded = excludedPaths.contains(SampleValue.path(of: names))
            if !hasMember, !isExcluded { newMembers.append(newMember) }
            return .object(Object(newMembers))
        }
    }
}

extension String {
    /// The name in snake case that a decoder converts to this one: `avatar_url` for `avatarURL`. An acronym is one word
    /// with what follows it: for `htmlURLText`, the decoder also finds `html_urltext`.
    fileprivate var snakeCased: String {
        var text = ""
        var previous: Character?
        for character in self {
            // A word begins with a capital letter after a small one. In `URL`, only the first letter begins one, and
            // after an underscore, the words are already separate.
            let followsSmallLetter = previous?.isUppercase == false && previous != "_"
            let beginsWord = character.isUppercase && followsSmallLetter
            if beginsWord { text.append("_") }
            text += character.lowercased()
            previous = character
        }
        return text
    }
}

extension Definition {
    /// Whether a schema allows members that it does not name.
    fileprivate var allowsOtherMembers: Bool {
        parts.contains { MemberRules($0, triesPatterns: false).allowsOthers }
    }
}
