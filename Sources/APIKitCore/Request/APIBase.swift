import APIKitSupport

/// The common settings of the endpoints of an API: the base URL, headers, query parameters, the notation of parameters,
/// and options.
///
/// ```swift
/// nonisolated extension APIBase {
///     static let gitHub = APIBase(
///         "https://api.github.com", headers: ["X-GitHub-Api-Version": "2022-11-28"])
/// }
/// ```
///
/// An endpoint returns it as its ``APIRequest/base``. If only the base URL is common, a literal is enough:
/// `var base: APIBase { "https://api.github.com" }`. A host outside of ASCII is sent in its ASCII form (RFC 5891), if
/// Foundation is loaded. An invalid URL is a ``RequestError`` with the code `baseURL` when
/// a request is built.
///
/// If all paths of an API begin with a value, such as the number of an account, the URL has a variable in its path:
///
/// ```swift
/// nonisolated extension APIBase {
///     static let camp = APIBase("https://3.camp.example/{accountId}")
/// }
/// ```
///
/// A client sets it for all endpoints. Until then, their requests are refused:
///
/// ```swift
/// let client = URLSession.api.based(at: .camp.setting("accountId", to: 7))
/// ```
///
/// Without a client, as in a test of an endpoint, ``APIRequest/httpRequest(base:)`` takes such a base.
public struct APIBase: Sendable {
    /// The settings, which the copies of a base share, since each request copies its base several times.
    ///
    /// `@unchecked Sendable`: the values are changed only while there is a single reference to them.
    private final class Storage: @unchecked Sendable {
        var headers: HTTPHeaders
        var query: Parameters
        var parameterStyle: ParameterStyle
        var options: RequestOptions
        var parsed: BaseURL

        /// Stores the settings.
        init(
            _ parsed: BaseURL, _ headers: HTTPHeaders, _ query: Parameters, _ parameterStyle: ParameterStyle,
            _ options: RequestOptions
        ) {
            self.headers = headers
            self.query = query
            self.parameterStyle = parameterStyle
            self.options = options
            self.parsed = parsed
        }
    }

    private var storage: Storage

    /// The storage for a change, copied first if other copies of the base share it.
    private var ownStorage: Storage {
        mutating get {
            if !isKnownUniquelyReferenced(&storage) {
                storage = Storage(parsed, headers, query, parameterStyle, options)
            }
            return storage
        }
    }

    /// Headers of every request; an endpoint's own override them.
    public var headers: HTTPHeaders {
        get { storage.headers }
        set { ownStorage.headers = newValue }
    }

    /// Query parameters of every request, such as the API's version or a client id; an endpoint's own of the same name
    /// override them.
    public var query: Parameters {
        get { storage.query }
        set { ownStorage.query = newValue }
    }

    /// How lists, members, Bools and dates are written in the parameters.
    public var parameterStyle: ParameterStyle {
        get { storage.parameterStyle }
        set { ownStorage.parameterStyle = newValue }
    }

    /// Options of every request. Values that an endpoint's own ``APIRequest/options`` set override them one by one.
    public var options: RequestOptions {
        get { storage.options }
        set { ownStorage.options = newValue }
    }

    var parsed: BaseURL { storage.parsed }

    /// Creates the base of an API.
    ///
    /// - Parameters:
    ///   - url: The root of the API: an absolute http or https URL. Its path, which may have variables in braces, and
    ///     its query are kept.
    ///   - headers: Headers of every request.
    ///   - query: Query parameters of every request.
    ///   - parameterStyle: How parameters are written.
    ///   - options: Options of every request.
    public init(
        _ url: String, headers: HTTPHeaders = [:], query: Parameters = [:],
        parameterStyle: ParameterStyle = ParameterStyle(), options: RequestOptions = RequestOptions()
    ) {
        storage = Storage(BaseURL(url), headers, query, parameterStyle, options)
    }

    /// Creates the base of an API from a URL that is known only at run time.
    public init(
        _ url: URL, headers: HTTPHeaders = [:], query: Parameters = [:],
        parameterStyle: ParameterStyle = ParameterStyle(), options: RequestOptions = RequestOptions()
    ) {
        self.init(
            url.absoluteString, headers: headers, query: query, parameterStyle: parameterStyle, options: options)
    }

    /// Why requests for this base are refused, such as a URL without a host, or a variable without a value; nil if they
    /// are not.
    ///
    /// ```swift
    /// if let problem = APIBase(field.text).problem { show("The server's URL \(problem).") }
    /// ```
    public var problem: String? { parsed.problem }

    /// Returns the base with a value in place of a variable in the path of its URL, wherever it occurs there.
    ///
    /// ```swift
    /// let client = URLSession.api.based(at: .camp.setting("accountId", to: 7))
    /// ```
    ///
    /// The value is text inside one segment, and is percent-encoded, except for letters, digits and `-._~:@`. Variables
    /// in the host or the query cannot be set. Errors and logs show the value.
    ///
    /// If the value is empty, if the segment would be `.` or `..`, or if the URL has no such variable, requests for the
    /// base are refused (``problem``).
    ///
    /// - Parameters:
    ///   - variable: The name, without braces.
    ///   - value: The value, not encoded.
    /// - Returns: The base; this one does not change.
    public func setting(_ variable: String, to value: some StringProtocol) -> APIBase {
        var base = self
        base.ownStorage.parsed = parsed.setting(variable, to: String(value))
        return base
    }

    /// Returns the base with an integer in place of a variable in the path of its URL, wherever it occurs there.
    ///
    /// - Parameters:
    ///   - variable: The name, without braces. Requests for the base are refused if the URL has no such variable.
    ///   - value: The value.
    /// - Returns: The base; this one does not change.
    public func setting(_ variable: String, to value: some BinaryInteger) -> APIBase {
        setting(variable, to: value.description)
    }

    /// Returns the base with one value in place of every variable in the path of its URL.
    package func settingEveryVariable(to value: String) -> APIBase {
        var base = self
        base.ownStorage.parsed = parsed.settingEveryVariable(to: value)
        return base
    }

    /// Whether the base URLs are the same.
    package func hasSameURL(as other: APIBase) -> Bool { parsed.text == other.parsed.text }

    /// Returns the base at the URL of another one, whose headers, query and options override those of this base one by
    /// one. The style of parameters stays.
    package func moved(to other: APIBase) -> APIBase {
        var base = self
        let storage = base.ownStorage
        storage.parsed = other.parsed
        storage.query = other.query.overriding(query)
        storage.options = other.options.addingMissing(from: options)
        if !other.headers.isEmpty {
            storage.headers = other.headers
            storage.headers.addMissing(from: headers)
        }
        return base
    }

    /// The base URL; nil if it is not a URL, for example since it has variables without values.
    public var url: URL? { URL(strict: parsed.text) }
}

extension APIBase: ExpressibleByStringLiteral {
    /// Creates a base that has only a URL, or returns the one that was created from this literal before.
    public init(stringLiteral url: StaticString) {
        guard url.hasPointerRepresentation else {
            self.init(url.description)
            return
        }
        let address = UInt(bitPattern: url.utf8Start)
        self = Self.literals.withLock { literals in
            if let base = literals[address] { return base }
            let base = APIBase(url.description)
            literals[address] = base
            return base
        }
    }

    /// The bases that were created from literals, by the literals' addresses. Each request reads the literal of its
    /// endpoint, and parsing that each time would take longer than creating the rest of the request.
    ///
    /// An address always means the same literal, because Swift never unloads code.
    private static let literals = Locked<[UInt: APIBase]>([:])
}

extension APIBase: CustomStringConvertible {
    /// The base URL, with secrets masked.
    public var description: String { Masking.masked(parsed.text) }
}
