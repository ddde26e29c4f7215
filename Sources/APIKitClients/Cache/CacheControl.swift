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
        for directive in Self.directives(of: Array(text.utf8)) {
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

    /// Cuts at commas outside quotes. A quote that is never closed hides none of the directives after it.
    private static func directives(of text: [UInt8]) -> [ArraySlice<UInt8>] {
        var directives: [ArraySlice<UInt8>] = []
        var (start, index) = (0, 0)
        var isBalanced = true
        while index < text.count {
            if text[index] == quote, isBalanced {
                let end = endOfQuoted(text, from: index)
                isBalanced = end != nil
                index = end ?? index
            } else if text[index] == UInt8(ascii: ",") {
                directives.append(text[start..<index])
                start = index + 1
            }
            index += 1
        }
        return directives + [text[start...]]
    }

    /// The index of the quote that closes the one at an index (RFC 9110, section 5.6.4).
    private static func endOfQuoted(_ text: [UInt8], from start: Int) -> Int? {
        var index = start + 1
        while index < text.count, text[index] != quote {
            index += text[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return index < text.count ? index : nil
    }

    /// An argument without its quotes, both forms of which are valid (section 5.2).
    private static func argument(_ text: ArraySlice<UInt8>) -> String {
        let argument = String(decoding: text, as: UTF8.self).trimmingSpaces()
        guard argument.utf8.count > 1, argument.first == "\"", argument.last == "\"" else { return String(argument) }
        return String(argument.dropFirst().dropLast())
    }

    private static let quote = UInt8(ascii: "\"")
}

extension String {
    /// A whole number of seconds (RFC 9111, section 1.2.2), nil for any other text; one that overflows is the largest.
    var deltaSeconds: Double? {
        guard !isEmpty, utf8.allSatisfy(\.isDigit) else { return nil }
        return wholeNumber.map { min(Double($0), CacheControl.maxSeconds) } ?? CacheControl.maxSeconds
    }
}
