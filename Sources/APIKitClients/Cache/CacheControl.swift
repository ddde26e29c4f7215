import APIKitCore
import APIKitSupport

/// The directives of `Cache-Control` in a request or a response (RFC 9111, section 5.2).
///
/// Names ignore case, and arguments may be quoted. If a directive appears more than once, the first one counts (section
/// 4.2.1). Unknown directives are ignored (section 5.2.3).
struct CacheControl: Sendable {
    /// The largest number of seconds (section 1.2.2). It fits in an `Int` on every platform, and sums of such numbers
    /// are exact.
    static let maxSeconds = Double(Int32.max)

    private struct Directive: Sendable {
        let name: String
        let argument: String?

        init(_ text: ArraySlice<UInt8>) {
            let nameBytes = text.prefix { $0 != UInt8(ascii: "=") }
            name = String(decoding: nameBytes, as: UTF8.self).trimmingSpaces().lowercased()
            let hasArgument = nameBytes.endIndex < text.endIndex
            argument = hasArgument ? Self.argument(text[(nameBytes.endIndex + 1)...]) : nil
        }

        /// Returns an argument without its quotes. It is valid with and without them (section 5.2).
        private static func argument(_ text: ArraySlice<UInt8>) -> String {
            let argument = String(decoding: text, as: UTF8.self).trimmingSpaces()
            let isQuoted = argument.utf8.count > 1 && argument.first == "\"" && argument.last == "\""
            return isQuoted ? String(argument.dropFirst().dropLast()) : String(argument)
        }
    }

    private var directives: [Directive] = []

    init(_ headers: HTTPHeaders) {
        guard let text = headers[.cacheControl] else { return }
        directives = Array(text.utf8)[...].splitOutsideQuotes(at: UInt8(ascii: ",")).map(Directive.init)
    }

    func contains(_ name: String) -> Bool {
        directives.contains { $0.name == name }
    }

    /// Returns the seconds that a directive has as its argument; nil if the directive is missing.
    ///
    /// An invalid number counts as 0 (section 4.2.1), and one that overflows as the largest (section 1.2.2).
    func seconds(_ name: String, withoutArgument: Double = 0) -> Double? {
        guard let directive = directives.first(where: { $0.name == name }) else { return nil }
        guard let argument = directive.argument else { return withoutArgument }
        return argument.deltaSeconds ?? 0
    }
}

extension String {
    /// The text as a whole number of seconds (RFC 9111, section 1.2.2); nil for any other text. A number that overflows
    /// is the largest one.
    var deltaSeconds: Double? {
        guard !isEmpty, utf8.allSatisfy(\.isDigit) else { return nil }
        // All characters are digits, so nil means that the number overflows Int.
        guard let number = wholeNumber else { return CacheControl.maxSeconds }
        return min(Double(number), CacheControl.maxSeconds)
    }
}
