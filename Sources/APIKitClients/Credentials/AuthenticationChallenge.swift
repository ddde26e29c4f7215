public import APIKitCore
import APIKitSupport

/// A way to authenticate that a server asks for in `WWW-Authenticate` (RFC 9110, section 11.6.1).
///
/// ```swift
/// let challenges = response.head.headers.challenges
/// if let bearer = challenges.first(where: { $0.scheme == .bearer }) {
///     print(bearer["error_description"] ?? "Sign in")
/// }
/// ```
public struct AuthenticationChallenge: Sendable, Hashable {
    /// The scheme, such as `.bearer`.
    public let scheme: Scheme
    /// The data of a scheme that has no parameters, such as `YII=` in `Negotiate YII=`; usually Base64. Nil if there is
    /// none.
    public let token68: String?
    /// Names ignore case, as header names do.
    private(set) var parameters = HTTPHeaders()

    /// The value of a parameter such as `scope`, without quotes; nil if it is missing.
    ///
    /// Names ignore case. A parameter may not appear more than once (RFC 9110, section 11.2); if it does, the first one
    /// counts.
    public subscript(parameter: String) -> String? {
        parameters.values(for: HTTPHeaders.Name(rawValue: parameter)).first
    }
}

extension AuthenticationChallenge {
    /// The name of an authentication scheme. It ignores case (RFC 9110, section 11.1).
    public struct Scheme: RawRepresentable, Hashable, Sendable {
        /// The name as the server has sent it.
        public let rawValue: String

        /// Creates a scheme with the given spelling.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Whether two schemes are equal, ignoring case.
        public static func == (left: Scheme, right: Scheme) -> Bool {
            left.rawValue.equalsIgnoringASCIICase(right.rawValue)
        }

        /// Hashes the name, ignoring case.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(HTTPHeaders.Name(rawValue: rawValue))
        }

        /// A user and a password (RFC 7617).
        public static let basic = Scheme(rawValue: "Basic")
        /// A token (RFC 6750).
        public static let bearer = Scheme(rawValue: "Bearer")
        /// A user and the hash of a password (RFC 7616).
        public static let digest = Scheme(rawValue: "Digest")
        /// A token that is bound to a key of the client (RFC 9449).
        public static let dpop = Scheme(rawValue: "DPoP")
    }
}

extension AuthenticationChallenge.Scheme: ExpressibleByStringLiteral, CustomStringConvertible {
    /// Creates a scheme with the given spelling.
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    /// The name as the server has sent it.
    public var description: String { rawValue }
}

extension AuthenticationChallenge: CustomStringConvertible {
    /// The scheme and the parameters, with secrets masked.
    public var description: String {
        if token68 != nil { return "\(scheme) \(Masking.mask)" }
        if parameters.isEmpty { return scheme.rawValue }
        let texts = parameters.map { "\($0.name)=\($0.value.debugDescription)" }
        return "\(scheme) \(Masking.masked(texts.joined(separator: ", ")))"
    }
}

// MARK: - Reading

extension HTTPHeaders {
    /// The challenges of all `WWW-Authenticate` headers, in order.
    ///
    /// The headers are one list, whose elements are separated by commas. An element that cannot be read is skipped, and
    /// the next one is read:
    ///
    /// - If it is a parameter, such as one whose quotation mark is never closed, only that parameter is missing.
    /// - Otherwise, it may be a challenge of an unknown form. Parameters after it are skipped, too, up to the next
    ///   challenge.
    ///
    /// A value without quotes may contain any characters but commas, as some servers send URLs.
    public var challenges: [AuthenticationChallenge] {
        var reader = ChallengeReader()
        for value in values(for: .wwwAuthenticate) {
            for element in Array(value.utf8)[...].splitOutsideQuotes(at: UInt8(ascii: ",")) { reader.read(element) }
        }
        return reader.challenges
    }
}

/// Reads the elements of `WWW-Authenticate` one by one. Each is the beginning of a challenge, with its first parameter
/// or its token, or a further parameter of the challenge before it.
private struct ChallengeReader {
    private(set) var challenges: [AuthenticationChallenge] = []
    /// Whether parameters belong to the last challenge; if not, to one that could not be read.
    private var isInChallenge = false

    mutating func read(_ element: ArraySlice<UInt8>) {
        let element = element.trimmingSpaces
        // Empty elements are ignored (RFC 9110, section 5.6.1.2).
        if element.isEmpty { return }
        if let parameter = Parameter(element) {
            if isInChallenge { challenges[challenges.count - 1].append(parameter) }
        } else if let challenge = AuthenticationChallenge(element) {
            challenges.append(challenge)
            isInChallenge = true
        } else {
            isInChallenge = false
        }
    }
}

/// A parameter of a challenge: `name=value`, with spaces around the equals sign if a server sends them (RFC 9110,
/// section 11.2).
private struct Parameter {
    let name: String
    /// The value without quotes; nil if it cannot be read.
    let value: String?

    /// Reads a parameter; nil if the text does not begin with a name and an equals sign.
    init?(_ text: ArraySlice<UInt8>) {
        let name = text.prefixToken
        let rest = text[name.endIndex...].trimmingSpaces
        guard !name.isEmpty, rest.first == UInt8(ascii: "=") else { return nil }
        self.name = String(decoding: name, as: UTF8.self)
        let value = rest.dropFirst().trimmingSpaces
        let isQuoted = value.first == UInt8(ascii: "\"")
        self.value = isQuoted ? value.unquoted : String(decoding: value, as: UTF8.self)
    }
}

extension AuthenticationChallenge {
    private static let token68Characters = ByteSet.unreserved.union("+/")

    /// Reads the beginning of a challenge: its scheme, and its token or first parameter if there is one. Nil if the
    /// text does not begin with a scheme.
    fileprivate init?(_ text: ArraySlice<UInt8>) {
        let scheme = text.prefixToken
        let content = text[scheme.endIndex...].trimmingSpaces
        let isSeparated = content.isEmpty || content.startIndex > scheme.endIndex
        guard !scheme.isEmpty, isSeparated else { return nil }
        self.scheme = Scheme(rawValue: String(decoding: scheme, as: UTF8.self))
        token68 = Self.token68(content)
        if token68 == nil, let parameter = Parameter(content) { append(parameter) }
    }

    /// The text as a token (RFC 9110, section 11.2): letters, digits and some signs, with equals signs at its end only.
    /// Nil for any other text.
    private static func token68(_ text: ArraySlice<UInt8>) -> String? {
        let characters = text.prefix(while: token68Characters.contains)
        let padding = text[characters.endIndex...]
        guard !characters.isEmpty, padding.allSatisfy({ $0 == UInt8(ascii: "=") }) else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    /// Adds a parameter unless its value could not be read.
    fileprivate mutating func append(_ parameter: Parameter) {
        guard let value = parameter.value else { return }
        parameters.append(value, for: HTTPHeaders.Name(rawValue: parameter.name))
    }
}

extension ArraySlice<UInt8> {
    /// The bytes without spaces and tabs around them.
    fileprivate var trimmingSpaces: ArraySlice<UInt8> {
        guard let first = firstIndex(where: \.isText), let last = lastIndex(where: \.isText) else {
            return self[endIndex...]
        }
        return self[first...last]
    }

    /// The longest token that the bytes begin with (RFC 9110, section 5.6.2).
    fileprivate var prefixToken: ArraySlice<UInt8> { prefix(while: ByteSet.token.contains) }
}

extension UInt8 {
    fileprivate var isText: Bool { self != UInt8(ascii: " ") && self != UInt8(ascii: "\t") }
}
