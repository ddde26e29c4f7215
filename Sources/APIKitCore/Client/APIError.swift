/// Why a `send` returned no model: the request could not be built, no response arrived, the endpoint rejected it, or it
/// could not be read.
///
/// ```swift
/// do {
///     …
/// } catch {
///     switch error {
///     case .rejected(let error?, let response):
///         print(error.message, response.head.status)
///     default:
///         print(error.localizedDescription)
///     }
/// }
/// ```
///
/// A `catch … where …` must be followed by a final `catch`, since Swift 6.3 crashes or never ends without one.
///
/// Code that handles the failures of any endpoint catches `any` ``APIFailure`` instead.
public enum APIError<Failure: Sendable>: Error {
    /// The request could not be built; nothing was sent.
    case invalidRequest(RequestError)
    /// No complete response arrived.
    case transport(TransportError)
    /// The endpoint rejected the response: by its status, or because mapping threw an error of the failure type.
    ///
    /// The failure is nil if the body could not be read as one; the response has the status in any case.
    case rejected(Failure?, HTTPResponse)
    /// The response was accepted but could not be mapped; the error says why, for example a `DecodingError`.
    case unreadable(any Error, HTTPResponse)
    /// The caller's own task was cancelled.
    case cancelled
}

extension APIError: APIFailure {
    /// The status of the response, nil if there was none.
    public var status: Int? { response?.head.status }

    /// The response, nil if there was none.
    public var response: HTTPResponse? {
        switch self {
        case .rejected(_, let response), .unreadable(_, let response): response
        case .invalidRequest, .transport, .cancelled: nil
        }
    }

    /// The error of a request that could not be built.
    public var requestError: RequestError? {
        if case .invalidRequest(let error) = self { error } else { nil }
    }

    /// The error if no complete response arrived.
    public var transportError: TransportError? {
        if case .transport(let error) = self { error } else { nil }
    }

    /// Whether the caller's own task was cancelled.
    public var isCancellation: Bool {
        if case .cancelled = self { true } else { false }
    }
}

extension APIError: CustomStringConvertible, LocalizedError {
    /// One line: method, URL, status or cause, and the first bytes of the body, with secrets masked.
    ///
    /// For the statuses 401 and 403, it says which credentials the request was sent with, by the names of their headers
    /// and parameters: `401 (sent with Authorization)`, or `401 (sent without Authorization)`.
    public var description: String {
        switch self {
        case .invalidRequest(let error): error.description
        case .transport(let error): error.description
        case .rejected(_, let response): response.line(adding: response.credentialNote)
        case .unreadable(let error, let response): response.masked(Self.unreadable(error, response))
        case .cancelled: "the request was cancelled"
        }
    }

    /// The same line, for `localizedDescription`.
    public var errorDescription: String? { description }

    /// Describes a response that could not be read: method, URL, status and cause, and the first bytes of the body.
    private static func unreadable(_ error: any Error, _ response: HTTPResponse) -> String {
        let statusLine = response.head.line(method: response.request?.method)
        let isEmpty = response.body.data?.isEmpty == true
        // The advice is only given if a decoder failed. An error that an endpoint's own mapping throws has another
        // cause.
        if isEmpty && error is DecodingError {
            let advice = "use NoContent or an Optional as the Response if that is not a failure"
            return "\(statusLine), but the body is empty: \(advice)"
        }
        let message = "\(statusLine), but the body could not be read: \(ErrorText.of(error))"
        let excerpt = response.excerpt(for: error)
        return excerpt.isEmpty ? message : "\(message): \(excerpt)"
    }
}

/// A failure of any endpoint, without its type parameter: `catch let error as any APIFailure`.
public protocol APIFailure: Error, Sendable {
    /// The status of the response, nil if there was none.
    var status: Int? { get }
    /// The response, nil if there was none.
    var response: HTTPResponse? { get }
    /// The error of a request that could not be built.
    var requestError: RequestError? { get }
    /// The error if no complete response arrived. If a client failed with an error of its own, such as the error of a
    /// token refresh, it is the ``TransportError/underlying`` error.
    var transportError: TransportError? { get }
    /// Whether the caller's own task was cancelled.
    var isCancellation: Bool { get }
}

extension APIFailure {
    /// The error if no complete response arrived.
    public var transportCode: TransportError.Code? { transportError?.code }
}

extension TransportError {
    /// The code of an error that a client has thrown: of this type, or of the ``APIError`` of another request, such as
    /// a token refresh. Nil if the error does not say that no complete response arrived.
    ///
    /// ```swift
    /// let isTransient = TransportError.code(of: error).map {
    ///     TransportError.Code.transient.contains($0)
    /// }
    /// ```
    ///
    /// - Parameter error: Any error.
    /// - Returns: The code.
    public static func code(of error: any Error) -> Code? {
        if let error = error as? TransportError { return error.code }
        return (error as? any APIFailure)?.transportCode
    }
}
