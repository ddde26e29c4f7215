import APIKitCore
import APIKitTesting

/// Finds members that a model reads, and that its schema does not have.
///
/// A decoder says what it looks for only when it finds something wrong: an optional member with another name than the
/// schema has is nil, and nobody notices. Such a member is suspected if a stored property is nil although the value has
/// everything that the schema names. It is found if a value of the wrong type under that name is an error.
struct UndescribedMembers {
    /// A member that is read.
    struct Member {
        /// Its coding path.
        let names: [String]
        /// The place of the schema that should have it.
        let pointer: String
    }

    private let sample: JSONValue
    private let schema: Node
    private let decode: (Data) throws -> Any
    /// The paths of the objects that are read as dictionaries, in which any name would be read.
    private var dictionaries: Set<String> = []

    /// No type of a member accepts both.
    private static let wrongValues: [JSONValue] = [.literal("true"), .string("text")]
    private static let unusualName = "undescribedmember"
    private static let limit = 40

    /// The members that a model reads beyond those of a value that has everything its schema names.
    static func find(in sample: JSONValue, _ schema: Node, _ decode: @escaping (Data) throws -> Any) -> [Member] {
        guard let model = try? decode(Data(sample.text().utf8)) else { return [] }
        var properties = NilProperties()
        properties.collect(from: model)
        guard !properties.names.isEmpty else { return [] }
        var search = UndescribedMembers(sample: sample, schema: schema, decode: decode)
        search.findDictionaries()
        return properties.names.sorted().prefix(limit).compactMap(search.member)
    }

    private mutating func findDictionaries() {
        for value in Self.wrongValues {
            // Each turn finds one.
            while dictionaries.count < Self.limit, let names = pathRead(of: Self.unusualName, value) {
                guard dictionaries.insert(SampleValue.path(of: names.dropLast())).inserted else { break }
            }
        }
    }

    /// A member with the name of a stored property; nil if the model does not read it where the schema lacks it.
    private func member(named property: String) -> Member? {
        for name in Set([property, property.snakeCased]).sorted() {
            for value in Self.wrongValues {
                guard let names = pathRead(of: name, value) else { continue }
                guard let parent = schema.member(at: names.dropLast()), !parent.allowsOtherMembers else { continue }
                return Member(names: names, pointer: Node.pointer(parent.pointer, "properties"))
            }
        }
        return nil
    }

    /// The coding path at which a name is read: where the model fails if each object has a wrong value under the name.
    private func pathRead(of name: String, _ value: JSONValue) -> [String]? {
        let probe = sample.addingToObjects(name, value, path: [], except: dictionaries)
        do {
            _ = try decode(Data(probe.text().utf8))
            return nil
        } catch {
            let names = SampleValue.names(of: error)
            let isCause = SampleValue.path(of: names.suffix(1)) == SampleValue.path(of: [name])
            return isCause ? names : nil
        }
    }
}

/// The names of stored properties that are nil, in a model and all that it contains.
private struct NilProperties {
    private(set) var names: Set<String> = []
    private var count = 0
    // A model may refer to itself.
    private static let countLimit = 10_000
    private static let depthLimit = 20

    mutating func collect(from value: Any, depth: Int = 0) {
        count += 1
        guard count < Self.countLimit, depth < Self.depthLimit else { return }
        // Foundation's types have properties of their own.
        let isSingleValue = value is URL || value is Date || value is Data || value is UUID || value is Decimal
        if isSingleValue { return }
        let mirror = Mirror(reflecting: value)
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
    /// The value with a member more in each of its objects, except those that have the member and those at some paths.
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
