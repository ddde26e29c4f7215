import APIKitCore

/// Collects what differs between two requests.
struct RequestComparison {
    /// A header, query item or field of a form.
    typealias Field = (name: String, value: String)

    private(set) var changes: [RequestDifference.Change] = []
    /// Masks the secrets in a text.
    let masked: (String) -> String

    init(masking masked: @escaping (String) -> String) {
        self.masked = masked
    }

    /// Reports a difference, with values that are masked already.
    mutating func report(_ place: String, _ expected: String?, _ actual: String?, isSecret: Bool = false) {
        changes.append(
            RequestDifference.Change(place: place, expected: expected, actual: actual, isSecret: isSecret))
    }

    // MARK: - Values

    /// A value as it is shown: masked, and in quotes if it is text.
    typealias Shown = (text: String, isQuoted: Bool)

    /// Reports two values that differ, from a little before the first difference if they are long. Values that are
    /// equal once they are masked differ in a secret.
    mutating func reportValues(_ place: String, _ expected: Shown?, _ actual: Shown?) {
        let (left, right) = (expected?.text ?? "", actual?.text ?? "")
        let isLong = max(left.count, right.count) > 200
        let start = isLong ? zip(left, right).prefix { $0.utf8.elementsEqual($1.utf8) }.count - 40 : 0
        let texts = [expected, actual].map { value in
            value.map { text, isQuoted in
                let part = start > 0 ? "…\(text.dropFirst(start))" : text
                let short = part.count > 200 ? "\(part.prefix(200))…" : part
                return isQuoted ? short.debugDescription : short
            }
        }
        let isSecret = expected?.isQuoted == actual?.isQuoted && Self.isSame(expected?.text, actual?.text)
        report(place, texts[0], texts[1], isSecret: isSecret)
    }

    /// Compares texts byte by byte, since two spellings of é are different bytes.
    mutating func compare(_ place: String, _ expected: String?, _ actual: String?, isSecret: Bool = false) {
        guard !Self.isSame(expected, actual) else { return }
        reportValues(
            place, expected.map { shown($0, isSecret: isSecret) }, actual.map { shown($0, isSecret: isSecret) })
    }

    func shown(_ text: String, isSecret: Bool) -> Shown {
        isSecret ? (Masking.mask, false) : (masked(text), true)
    }

    /// Whether a value is masked only because of what comes before it, as after `&code=` or `"code": `.
    func isSecret(_ value: String, after prefix: String) -> Bool {
        !Self.isSame(masked(prefix + value), prefix + masked(value))
    }

    /// Whether the `value` beside these members is a secret, as in `"name": "password"`.
    static func nameSecret(_ members: [Field]) -> Bool {
        members.contains { ["name", "key"].contains($0.name.lowercased()) && SecretNames.contains($0.value) }
    }

    static func isSame(_ left: String?, _ right: String?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return left.utf8.elementsEqual(right.utf8)
    }

    /// Compares named values: those of one name in their order, and the order of names only if that matters. Names
    /// whose order does not matter ignore case, as those of headers.
    mutating func compareFields(_ kind: String, _ expected: [Field], _ actual: [Field], isOrdered: Bool = false) {
        func key(_ field: Field) -> String { isOrdered ? field.name : field.name.lowercased() }
        let count = changes.count
        let nameSecret = Self.nameSecret(expected + actual)
        let (left, right) = (Dictionary(grouping: expected, by: key), Dictionary(grouping: actual, by: key))
        var seen: Set<String> = []
        for field in expected + actual where seen.insert(key(field)).inserted {
            let lists = [left, right].map { $0[key(field)]?.map(\.value) ?? [] }
            let name = field.name.removingPercentEncodingOfASCII
            let prefix = isOrdered ? "&\(name)=" : "\(name): "
            let isSecret =
                SecretNames.contains(field.name) || nameSecret && name.lowercased() == "value"
                || lists.joined().contains { self.isSecret($0, after: prefix) }
            compareLists("\(kind) \(field.name)", lists[0], lists[1], isSecret: isSecret)
        }
        guard isOrdered, changes.count == count else { return }
        compare(
            "\(kind) order", expected.map(\.name).joined(separator: ", "), actual.map(\.name).joined(separator: ", "))
    }

    private mutating func compareLists(_ place: String, _ expected: [String], _ actual: [String], isSecret: Bool) {
        let count = max(expected.count, actual.count)
        for index in 0..<count {
            let values = [expected, actual].map { index < $0.count ? $0[index] : nil }
            compare(count > 1 ? "\(place) (\(index + 1))" : place, values[0], values[1], isSecret: isSecret)
        }
    }

    /// Compares the stored properties of two values.
    mutating func compareMembers(_ kind: String, _ expected: some Any, _ actual: some Any) {
        for (left, right) in zip(Mirror(reflecting: expected).children, Mirror(reflecting: actual).children)
        where left.value as? AnyHashable != right.value as? AnyHashable {
            report("\(kind) \(left.label ?? "")", Self.text(of: left.value), Self.text(of: right.value))
        }
    }

    /// A value as a text, without `Optional(…)`.
    private static func text(of value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .optional ? mirror.children.first.map { "\($0.value)" } ?? "nil" : "\(value)"
    }

    // MARK: - URLs

    mutating func compare(_ expected: URL, _ actual: URL) {
        compare("URL scheme", expected.scheme, actual.scheme)
        compare("URL user", expected.user(percentEncoded: true), actual.user(percentEncoded: true), isSecret: true)
        let passwords = [expected, actual].map { $0.password(percentEncoded: true) }
        compare("URL password", passwords[0], passwords[1], isSecret: true)
        compare("URL host", expected.host(percentEncoded: true), actual.host(percentEncoded: true))
        compare("URL port", expected.port.map(String.init), actual.port.map(String.init))
        comparePaths(expected.path(percentEncoded: true), actual.path(percentEncoded: true))
        compareFields("query", expected.queryFields, actual.queryFields, isOrdered: true)
    }

    private mutating func comparePaths(_ expected: String, _ actual: String) {
        let left = expected.split(separator: "/", omittingEmptySubsequences: false)
        let right = actual.split(separator: "/", omittingEmptySubsequences: false)
        guard left.count == right.count else { return compare("URL path", expected, actual) }
        for (index, (left, right)) in zip(left, right).enumerated() {
            compare("URL path segment \(index)", String(left), String(right))
        }
    }
}

extension URL {
    /// The encoded items of the query.
    fileprivate var queryFields: [RequestComparison.Field] {
        query(percentEncoded: true)?.fields ?? []
    }
}

extension String {
    /// The fields of a query or form, as they are encoded.
    var fields: [RequestComparison.Field] {
        split(separator: "&", omittingEmptySubsequences: false).map { item in
            (String(item.prefix { $0 != "=" }), String(item.drop { $0 != "=" }.dropFirst()))
        }
    }
}
