import APIKitCore

/// The directives of `Cache-Control` in a request or a response (RFC 9111, section 5.2).
///
/// Names ignore case, arguments may be quoted, the first of several directives of one name counts (section 4.2.1), and
/// unknown ones are ignored (section 5.2.3).
struct CacheControl: Sendable {
    /// No number of seconds is larger (section 1.2.2). It fits an `Int` on every platform, and sums of it are exact.
    static let maxSeconds = Double(Int32.max)

    private var arguments: [(name: String, value: String?)] = []

    init(_ headers: HTTPHeaders) {
        guard let text = headers[.cacheControl] else { return }
        for directive in Array(text.utf8)[...].splitOutsideQuotes(at: UInt8(ascii: ",")) {
            let end = directive.firstIndex(of: UInt8(ascii: "=")) ?? directive.endIndex
            let name = String(decoding: directive[..<end], as: UTF8.self).trimmingSpaces().lowercased()
            arguments.append((name, end < directive.endIndex ? Self.argument(directive[(end + 1)...]) : nil))
        }
    }

    func contains(_ name: String) -> Bool {
        arguments.contains { $0.name == name }
    }

    /// The seconds that a directive names, nil if it is missing. An invalid number is 0 (section 4.2.1), and one that
    /// overflows is the largest (section 1.2.2).
    func seconds(_ name: String, withoutArgument: Double = 0) -> Double? {
        guard let argument = arguments.first(where: { $0.name == name }) else { return nil }
        return argument.value.map { $0.deltaSeconds ?? 0 } ?? withoutArgument
    }

    /// An argument without its quotes, both forms of which are valid (section 5.2).
    private static func argument(_ text: ArraySlice<UInt8>) -> String {
        let argument = String(decoding: text, as: UTF8.self).trimmingSpaces()
        guard argument.utf8.count > 1, argument.first == "\"", argument.last == "\"" else { return String(argument) }
        return String(argument.dropFirst().dropLast())
    }
}

extension String {
    /// A whole number of seconds (RFC 9111, section 1.2.2), nil for any other text; one that overflows is the largest.
    var deltaSeconds: Double? {
        guard !isEmpty, utf8.allSatisfy(\.isDigit) else { return nil }
        return wholeNumber.map { min(Double($0), CacheControl.maxSeconds) } ?? CacheControl.maxSeconds
    }
}
