import APIKitCore
import APIKitTesting

/// Finds members that keep a model from recognizing an alternative of a union.
///
/// A union that may get further alternatives has a case for unknown ones, whose value is a `JSONValue`. If the type of
/// a member has changed, no error is thrown: the whole alternative is decoded as an unknown one. The search therefore
/// has two steps:
///
/// 1. A sample value of the schema is decoded, and the objects that the model has kept as unknown alternatives are
///    collected. A model may leave alternatives out on purpose, so that alone is not a problem.
/// 2. Each scalar in these objects is replaced by values of other types. If the model then recognizes an alternative,
///    it knows it, and expects another type of that member.
struct UnreadAlternatives {
    /// A member with another type than the model expects.
    struct Member {
        /// The names and indexes that lead to the member.
        let names: [String]
        /// The described value, such as `a string`.
        let type: String
    }

    private let sample: JSONValue
    private let decode: (Data) throws -> Any

    /// How many replacements are decoded for one sample. It bounds the time for a large one.
    private static let limit = 200

    /// Finds the members of a sample that keep the model from recognizing alternatives.
    ///
    /// - Parameters:
    ///   - sample: A value that the model can decode.
    ///   - decode: Decodes the model.
    /// - Returns: The members, in the order of the sample.
    static func find(in sample: JSONValue, _ decode: @escaping (Data) throws -> Any) -> [Member] {
        UnreadAlternatives(sample: sample, decode: decode).members()
    }

    /// Replaces each scalar in the objects that the model keeps as unknown alternatives, and returns the scalars whose
    /// replacement makes one of these objects known. Empty if the model cannot decode the sample itself.
    ///
    /// After ``limit`` replacements, the search ends with what it has found so far.
    private func members() -> [Member] {
        guard let unknown = unknownObjects(in: sample), !unknown.isEmpty else { return [] }
        var members: [Member] = []
        var attempts = 0
        for scalar in scalars(in: sample, inside: Set(unknown)) {
            for replacement in Self.replacements(of: scalar.value) {
                attempts += 1
                if attempts > Self.limit { return members }
                let changed = sample.replacing(scalar.names[...], by: replacement)
                guard let remaining = unknownObjects(in: changed) else { continue }
                if remaining.count < unknown.count {
                    members.append(Member(names: scalar.names, type: scalar.value.kind.withArticle))
                    break
                }
            }
        }
        return members
    }

    /// The objects that the model keeps as unknown alternatives; nil if it cannot decode the value.
    private func unknownObjects(in value: JSONValue) -> [JSONValue]? {
        guard let model = try? decode(Data(value.text().utf8)) else { return nil }
        var collector = UnknownObjects()
        collector.collect(from: model)
        return collector.objects
    }

    /// A value that is neither an object nor a list, with the names and indexes that lead to it.
    private struct Scalar {
        let names: [String]
        let value: JSONValue
    }

    /// The scalars inside of some objects.
    private func scalars(in value: JSONValue, inside objects: Set<JSONValue>) -> [Scalar] {
        var scalars: [Scalar] = []
        func visit(_ value: JSONValue, _ names: [String], isInside isParentInside: Bool) {
            let isInside = isParentInside || objects.contains(value)
            switch value {
            case .null, .bool, .number, .string:
                if isInside { scalars.append(Scalar(names: names, value: value)) }
            case .array(let values):
                for (index, inner) in values.enumerated() { visit(inner, names + [String(index)], isInside: isInside) }
            case .object(let members):
                for (name, inner) in members { visit(inner, names + [name], isInside: isInside) }
            }
        }
        visit(value, [], isInside: false)
        return scalars
    }

    /// Values of other types than a scalar.
    private static func replacements(of value: JSONValue) -> [JSONValue] {
        let all: [JSONValue] = ["text", 1, true, [], [:], "2026-11-20T18:30:00Z"]
        return all.filter { $0.kind != value.kind }
    }
}

/// Collects the objects that a model keeps as unknown alternatives: the JSON values of enums' cases.
private struct UnknownObjects {
    private(set) var objects: [JSONValue] = []
    private var visitedCount = 0
    // The limits end the collection for a model whose objects refer to one another in a circle.
    private static let visitedLimit = 10_000
    private static let depthLimit = 30

    /// Adds the objects that enums' cases hold in a value and in the values within it. Nothing within a `JSONValue` is
    /// searched: it has no types of the model.
    mutating func collect(from value: Any, depth: Int = 0) {
        visitedCount += 1
        guard visitedCount < Self.visitedLimit, depth < Self.depthLimit, !(value is JSONValue) else { return }
        let mirror = Mirror(reflecting: value)
        for (_, child) in mirror.children {
            // An optional has a case with a value too, but a property of the type `JSONValue?` has no alternatives.
            let isCase = mirror.displayStyle == .enum
            if isCase, let json = child as? JSONValue, json.object != nil {
                objects.append(json)
            } else {
                collect(from: child, depth: depth + 1)
            }
        }
    }
}

extension JSONValue {
    /// The value with another one at the end of some names and indexes; unchanged if they lead nowhere.
    fileprivate func replacing(_ names: ArraySlice<String>, by value: JSONValue) -> JSONValue {
        guard let name = names.first else { return value }
        switch self {
        case .null, .bool, .number, .string:
            return self
        case .array(var values):
            guard let index = Int(name), values.indices.contains(index) else { return self }
            values[index] = values[index].replacing(names.dropFirst(), by: value)
            return .array(values)
        case .object(let members):
            let changed: [Object.Member] = members.map { member in
                member.name == name ? (name, member.value.replacing(names.dropFirst(), by: value)) : member
            }
            return .object(Object(changed))
        }
    }
}
