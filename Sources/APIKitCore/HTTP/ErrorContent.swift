/// What a ``TransportError`` or a ``RequestError`` holds, shared by its copies: each function that can throw one, and
/// each value that may hold one, has room for a copy. With plain copies, the code of all modules is 3 % larger.
final class ErrorContent: Sendable {
    let code: String
    let message: String?
    let method: HTTPMethod?
    let url: URL?
    let underlying: (any Error)?

    @inline(never)
    init(_ code: String, _ message: String?, method: HTTPMethod?, url: URL?, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.method = method
        self.url = url
        self.underlying = underlying
    }

    /// The same with a request's method and URL, unless it has its own.
    func withRequest(method: HTTPMethod?, url: URL?) -> ErrorContent {
        ErrorContent(code, message, method: self.method ?? method, url: self.url ?? url, underlying: underlying)
    }

    /// The method and the URL with secrets masked; empty if neither is known.
    var request: String {
        [method?.rawValue, url.map(Masking.url)].compactMap(\.self).map(Masking.bounded).joined(separator: " ")
    }
}
