import APIKitSupport

/// The URL of a request or a response, which is parsed only on demand.
///
/// Most engines need only the text, and parsing it is the slowest step of creating a request.
package enum LazyURL: Sendable {
    case parsed(URL)
    case text(Text)

    /// A text that is parsed at most once for all copies of a request and its response.
    package final class Text: Sendable {
        fileprivate let text: String
        private let parsed = Locked<URL?>(nil)

        /// - Parameter text: A URL that ``URL/init(strict:)`` accepts: a valid base URL with an encoded path and query.
        init(_ text: String) {
            self.text = text
        }

        /// The URL, which is parsed the first time.
        fileprivate var url: URL {
            parsed.withLock { parsed in
                if let parsed { return parsed }
                // The text was checked before it came here, so this always is a URL.
                let url = URL(strict: text) ?? Self.unreachable
                parsed = url
                return url
            }
        }

        /// Stands in for a text that Foundation would refuse although it was checked: a URL that no engine sends, since
        /// ending the program would be worse.
        private static let unreachable = URL(fileURLWithPath: "/")
    }

    @inline(never)
    package var url: URL {
        switch self {
        case .parsed(let url): url
        case .text(let text): text.url
        }
    }

    /// The URL as it is sent.
    package var text: String {
        switch self {
        case .parsed(let url): url.absoluteString
        case .text(let text): text.text
        }
    }
}

extension LazyURL: Hashable {
    package static func == (left: LazyURL, right: LazyURL) -> Bool { left.url == right.url }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(url)
    }
}

extension LazyURL: CustomStringConvertible, CustomReflectable {
    package var description: String { text }

    /// The mirror of the URL, for `dump`.
    package var customMirror: Mirror { Mirror(reflecting: url) }
}
