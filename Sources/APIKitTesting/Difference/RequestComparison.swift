import APIKitCore

/// Collects what differs between two requests.
package struct RequestComparison {
    /// Masks the secrets in a text; nil if they are masked already, and an expected mask stands for any value.
    private let mask: ((String) -> String)?
    package private(set) var changes: [RequestDifference.Change] = []

    package init(masking mask: ((String) -> String)?) {
        self.mask = mask
    }

    /// Compares two values, members and elements one by one.
    ///
    /// - Parameters:
    ///   - place: The part of the requests that is compared.
    ///   - path: Where the values stand in that part.
    ///   - expected: The expected value, nil if there is none.
    ///   - actual: The actual value.
    ///   - isSecret: Whether the values are secret as a whole.
    package mutating func compare(
        _ place: String, path: String = "", _ expected: JSONValue?, _ actual: JSONValue?, isSecret: Bool = false
    ) {
        if mask == nil, expected?.string == Masking.mask, actual != nil { return }
        switch (expected, actual) {
        case (nil, nil): break
        case (.object(let left)?, .object(let right)?):
            compareMembers(place, path: path, left, right, isSecret: isSecret)
        case (.list(let left)?, .list(let right)?):
            for index in 0..<max(left.count, right.count) {
                let values = [left, right].map { index < $0.count ? $0[index] : nil }
                compare(place, path: "\(path)[\(index)]", values[0], values[1], isSecret: isSecret)
            }
        case (let left?, let right?) where left.isSameScalar(as: right): break
        default:
            let texts = [expected, actual].map { $0.map { isSecret ? .literal(Masking.mask) : masked($0) } }
            report(path.isEmpty ? place : "\(place) \(path)", texts[0], texts[1])
        }
    }

    /// Compares the fields of queries or forms, and their order if nothing else differs.
    mutating func compareFields(_ place: String, _ expected: [JSONValue.Member], _ actual: [JSONValue.Member]) {
        let count = changes.count
        compareMembers(place, expected, actual, isForm: true)
        guard changes.count == count else { return }
        let names = [expected, actual].map { $0.map(\.name).joined(separator: ", ") }
        compare("\(place) order", .string(names[0]), .string(names[1]))
    }

    /// Compares the values of each name; several are a list.
    private mutating func compareMembers(
        _ place: String, path: String = "", _ expected: [JSONValue.Member], _ actual: [JSONValue.Member],
        isSecret: Bool = false, isForm: Bool = false
    ) {
        // Names are bytes, since two spellings of é are two names.
        let sides = [expected, actual].map { Dictionary(grouping: $0) { Array($0.name.utf8) } }
        // As in `"name": "password", "value": "…"`.
        let isValueSecret = (expected + actual).contains { name, value in
            ["name", "key"].contains(name.lowercased()) && SecretNames.contains(value.string ?? "")
        }
        var seen: Set<[UInt8]> = []
        for (name, _) in expected + actual where seen.insert(Array(name.utf8)).inserted {
            let values = sides.map { side in
                let values = side[Array(name.utf8), default: []].map(\.value)
                return values.count > 1 ? .list(values) : values.first
            }
            let word = name.removingPercentEncodingOfASCII.lowercased()
            let isSecret =
                isSecret || SecretNames.contains(name) || isValueSecret && word == "value" || isForm && word == "code"
            compare(place, path: Self.path(path, name), values[0], values[1], isSecret: isSecret)
        }
    }

    /// The path of a member: `a.name`, or `a["first name"]`.
    private static func path(_ path: String, _ name: String) -> String {
        if name.isEmpty || name.contains(where: { $0.isWhitespace || "\".".contains($0) }) {
            return "\(path)[\(name.debugDescription)]"
        }
        return path.isEmpty ? name : "\(path).\(name)"
    }

    // MARK: - Reporting

    func masked(_ text: String) -> String { mask?(text) ?? text }

    /// A value as it is shown, with secrets masked.
    private func masked(_ value: JSONValue) -> JSONValue {
        value.string.map { .string(masked($0)) } ?? .literal(masked(value.text()))
    }

    /// Reports two masked values that differ, from a little before the first difference if they are long.
    mutating func report(_ place: String, _ expected: JSONValue?, _ actual: JSONValue?) {
        let texts = [expected, actual].map { $0.map { $0.string ?? $0.text() } ?? "" }
        let same = zip(texts[0], texts[1]).prefix { $0.utf8.elementsEqual($1.utf8) }.count
        let start = texts.contains { $0.count > 200 } ? same - 40 : 0
        let shown = zip([expected, actual], texts).map { value, text in
            value.map { value in
                let part = start > 0 ? "…\(text.dropFirst(start))" : text
                let short = part.count > 200 ? "\(part.prefix(200))…" : part
                return value.string == nil ? short : short.debugDescription
            }
        }
        changes.append(RequestDifference.Change(place: place, expected: shown[0], actual: shown[1]))
    }
}
