import APIKitCore

/// The directives of `Cache-Control` in a request or a response (RFC 9111, section 5.2).
///
/// Names ignore case, arguments may be quoted, the first of several directives of one name counts (section 4.2.1), and
/// unknown ones are ignored (section 5.2.3).
struct CacheControl: Sendable {
    /// No number of seconds is larger (section 1.2.2). It fits an `Int` on every platform, and sums of it are exact.
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

        /// An argument without its quotes, both forms of which are valid (section 5.2).
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

    /// The seconds that a directive names, nil if it is missing. An invalid number is 0 (section 4.2.1), and one that
    /// overflows is the largest (section 1.2.2).
    func seconds(_ name: String, withoutArgument: Double = 0) -> Double? {
        guard let directive = directives.first(where: { $0.name == name }) else { return nil }
        guard let argument = directive.argument else { return withoutArgument }
        return argument.deltaSeconds ?? 0
    }
}

extension String {
    /// A whole number of seconds (RFC 9111, section 1.2.2), nil for any other text; one that overflows is the largest.
    var deltaSeconds: Double? {
        guard !isEmpty, utf8.allSatisfy(\.isDigit) else { return nil }
        // Nil if it overflows Int.
        guard let number = wholeNumber else { return CacheControl.maxSeconds }
        return min(Double(number), CacheControl.maxSeconds)
    }
}
