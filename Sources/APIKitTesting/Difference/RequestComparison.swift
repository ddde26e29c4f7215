package import APIKitCore
import APIKitSupport

/// The same part of two requests.
struct Sides<Value> {
    let expected: Value
    let actual: Value

    init(_ expected: Value, _ actual: Value) {
        self.expected = expected
        self.actual = actual
    }

    func map<Part>(_ transform: (Value) -> Part) -> Sides<Part> {
        Sides<Part>(transform(expected), transform(actual))
    }
}

/// A value as a difference shows it.
enum ShownValue {
    /// A string, which is shown in quotes.
    case quoted(String)
    /// JSON of another type, or a text that is not a value of the request.
    case plain(String)

    /// The mask in place of a secret.
    static let masked = ShownValue.plain(Masking.mask)

    /// The text without quotes.
    var text: String {
        switch self {
        case .quoted(let text), .plain(let text): text
        }
    }
}

/// Collects what differs between two requests.
package struct RequestComparison {
    /// Masks the secrets in a text. It is nil if both requests are masked already: then an expected value that is
    /// masked matches any value.
    private let mask: ((String) -> String)?
    package private(set) var changes: [RequestDifference.Change] = []

    /// A value with more characters than this is cut to the part around the first difference.
    private static let lengthLimit = 200
    /// The number of characters of such a value that are shown before the first difference.
    private static let contextLength = 40

    package init(masking mask: ((String) -> String)?) {
        self.mask = mask
    }

    /// Compares two values. The members of objects and the elements of lists are compared one by one.
    ///
    /// - Parameters:
    ///   - place: The part of the requests that is compared.
    ///   - path: The path of the values within that part.
    ///   - expected: The expected value, nil if there is none.
    ///   - actual: The actual value.
    ///   - isSecret: Whether the values are secret as a whole.
    package mutating func compare(
        _ place: String, path: String = "", _ expected: JSONValue?, _ actual: JSONValue?, isSecret: Bool = false
    ) {
        // If both requests are masked already, an expected `***` matches any value.
        let isMasked = mask == nil && expected?.string == Masking.mask
        if isMasked, actual != nil { return }
        switch (expected, actual) {
        case (nil, nil):
            break
        case (.object(let left)?, .object(let right)?):
            compareMembers(place, path: path, Array(left), Array(right), isSecret: isSecret)
        case (.array(let left)?, .array(let right)?):
            for index in 0..<max(left.count, right.count) {
                let element = Sides(left, right).map { index < $0.count ? $0[index] : nil }
                compare(place, path: "\(path)[\(index)]", element.expected, element.actual, isSecret: isSecret)
            }
        case (let left?, let right?) where left.isSameScalar(as: right):
            break
        default:
            let texts = Sides(expected, actual).map { value -> ShownValue? in
                guard let value else { return nil }
                return isSecret ? .masked : shown(value)
            }
            report(path.isEmpty ? place : "\(place) \(path)", texts.expected, texts.actual)
        }
    }

    /// Compares two texts, which are shown without quotes.
    package mutating func compareTexts(_ place: String, _ expected: String, _ actual: String) {
        if expected.utf8.elementsEqual(actual.utf8) { return }
        report(place, .plain(masked(expected)), .plain(masked(actual)))
    }

    // MARK: - Members

    /// Compares the fields of queries or forms, and their order if nothing else differs.
    mutating func compareFields(
        _ place: String, _ expected: [JSONValue.Object.Member], _ actual: [JSONValue.Object.Member]
    ) {
        let count = changes.count
        compareMembers(place, expected, actual, isForm: true)
        guard changes.count == count else { return }
        let names = Sides(expected, actual).map { fields in
            JSONValue.string(fields.map(\.name).joined(separator: ", "))
        }
        compare("\(place) order", names.expected, names.actual)
    }

    /// Compares the values of each name. If a name appears several times, its values are compared as a list.
    mutating func compareMembers(
        _ place: String, path: String = "", _ expected: [JSONValue.Object.Member], _ actual: [JSONValue.Object.Member],
        isSecret: Bool = false, isForm: Bool = false
    ) {
        // Names are compared as bytes: as Strings, é as one character equals é as a letter with an accent.
        let values = Sides(expected, actual).map { members in
            Dictionary(grouping: members) { Array($0.name.utf8) }.mapValues { $0.map(\.value) }
        }
        let isPairWithSecret = Self.namesSecret(expected) || Self.namesSecret(actual)
        var seen: Set<[UInt8]> = []
        for member in expected + actual {
            let key = Array(member.name.utf8)
            guard seen.insert(key).inserted else { continue }
            let value = values.map { Self.joined($0[key] ?? []) }
            let plainName = member.name.removingPercentEncodingOfASCII.lowercased()
            var isValueSecret = isSecret || SecretNames.contains(member.name)
            if isPairWithSecret, plainName == "value" { isValueSecret = true }
            // In a query or form, `code` may be the secret code of an OAuth redirect.
            if isForm, plainName == "code" { isValueSecret = true }
            let memberPath = Self.path(path, member.name)
            compare(place, path: memberPath, value.expected, value.actual, isSecret: isValueSecret)
        }
    }

    /// Whether an object is a pair that names a secret, such as `{"name": "password", "value": "…"}`.
    private static func namesSecret(_ members: [JSONValue.Object.Member]) -> Bool {
        members.contains { name, value in
            ["name", "key"].contains(name.lowercased()) && SecretNames.contains(value.string ?? "")
        }
    }

    /// Returns the values of one name as one value; nil if there are none.
    private static func joined(_ values: [JSONValue]) -> JSONValue? {
        values.count > 1 ? .array(values) : values.first
    }

    /// Returns the path of a member: `a.name`, or `a["first name"]`.
    private static func path(_ path: String, _ name: String) -> String {
        let isPlain = !name.isEmpty && !name.contains { $0.isWhitespace || $0 == "\"" || $0 == "." }
        guard isPlain else { return "\(path)[\(name.debugDescription)]" }
        return path.isEmpty ? name : "\(path).\(name)"
    }

    // MARK: - Reporting

    func masked(_ text: String) -> String { mask?(text) ?? text }

    /// Returns a value with its secrets masked, as it is shown.
    private func shown(_ value: JSONValue) -> ShownValue {
        if let text = value.string { return .quoted(masked(text)) }
        return .plain(masked(value.text()))
    }

    /// Reports two masked values that differ. Long values are shown from a little before the first difference.
    mutating func report(_ place: String, _ expected: ShownValue?, _ actual: ShownValue?) {
        let values = Sides(expected, actual)
        let texts = values.map { $0?.text ?? "" }
        let common = zip(texts.expected, texts.actual).prefix { $0.utf8.elementsEqual($1.utf8) }.count
        let isLong = max(texts.expected.count, texts.actual.count) > Self.lengthLimit
        let start = isLong ? max(common - Self.contextLength, 0) : 0
        let shown = values.map { $0.map { Self.excerpt(of: $0, from: start) } }
        changes.append(RequestDifference.Change(place: place, expected: shown.expected, actual: shown.actual))
    }

    /// Returns the text of a value from an index on, cut to the length limit. A string is in quotes.
    private static func excerpt(of value: ShownValue, from start: Int) -> String {
        var text = value.text
        if start > 0 { text = "…\(text.dropFirst(start))" }
        if text.count > lengthLimit { text = "\(text.prefix(lengthLimit))…" }
        switch value {
        case .quoted: return text.debugDescription
        case .plain: return text
        }
    }
}
