/// What the endpoints of an API have in common: the base URL, headers, query parameters, how parameters are written,
/// and options.
///
/// ```swift
/// nonisolated extension APIBase {
///     static let gitHub = APIBase("https://api.github.com", headers: ["X-GitHub-Api-Version": "2022-11-28"])
/// }
/// ```
///
/// An endpoint returns it as its ``APIRequest/base``. If only the base URL is common, a literal is enough:
/// `var base: APIBase { "https://api.github.com" }`. An invalid URL is a ``RequestError`` with the code `baseURL` when
/// a request is built.
public struct APIBase: Sendable {
    /// Headers of every request; an endpoint's own override them.
    public var headers: HTTPHeaders
    /// Query parameters of every request, such as the API's version or a client id; an endpoint's own of the same name
    /// override them.
    public var query: Parameters
    /// How lists, members, Bools and dates are written in the parameters.
    public var parameterStyle: ParameterStyle
    /// Options of every request; what an endpoint's own ``APIRequest/options`` set overrides them one by one.
    public var options: RequestOptions
    private(set) var parsed: BaseURL

    /// Creates the base of an API.
    ///
    /// - Parameters:
    ///   - url: The root of the API: an absolute http or https URL. Its path and query are kept.
    ///   - headers: Headers of every request.
    ///   - query: Query parameters of every request.
    ///   - parameterStyle: How parameters are written.
    ///   - options: Options of every request.
    public init(
        _ url: String, headers: HTTPHeaders = [:], query: Parameters = [:],
        parameterStyle: ParameterStyle = ParameterStyle(), options: RequestOptions = RequestOptions()
    ) {
        self.headers = headers
        self.query = query
        self.parameterStyle = parameterStyle
        self.options = options
        parsed = BaseURL(url)
    }

    /// Creates the base of an API from a URL that is known only at run time.
    public init(
        _ url: URL, headers: HTTPHeaders = [:], query: Parameters = [:],
        parameterStyle: ParameterStyle = ParameterStyle(), options: RequestOptions = RequestOptions()
    ) {
        self.init(
            url.absoluteString, headers: headers, query: query, parameterStyle: parameterStyle, options: options)
    }

    /// Why requests for this base are refused; nil if they are not.
    package var problem: String? { parsed.problem }

    /// Whether the base URLs are the same.
    package func hasSameURL(as other: APIBase) -> Bool { parsed.text == other.parsed.text }

    /// The same base at the URL of another one.
    package func moved(to other: APIBase) -> APIBase {
        var base = self
        base.parsed = other.parsed
        return base
    }

    /// The base URL; nil if it is not a URL.
    public var url: URL? { URL(strict: parsed.text) }
}

extension APIBase: ExpressibleByStringLiteral {
    /// Creates the base of an API of which only the URL is common.
    public init(stringLiteral url: String) {
        self.init(url)
    }
}

extension APIBase: CustomStringConvertible {
    /// The base URL, with secrets masked.
    public var description: String { Masking.masked(parsed.text) }
}
