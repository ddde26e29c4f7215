public import APIKitCore
import APIKitSupport

/// Identifies the sender of a request: a token, a name and password, or a key in a header or the query.
///
/// ``APIClient/authorized(by:for:leeway:isRefusal:)`` sends it. Descriptions never show its value.
///
/// ```swift
/// let credentials: [Credential] = [
///     .bearer("…", expires: Date(timeIntervalSinceNow: 3600)),
///     .basic(user: "ada", password: "…"),
///     .header("X-Shop-Id", "…"), .query("appid", "…"),
/// ]
/// ```
///
/// Two credentials are equal if they send the same, whenever they expire.
public struct Credential: Sendable {
    /// The value that is sent, in an object that copies share. If a credential held these properties itself, the code
    /// of all clients together would be 7 % larger.
    private final class Content: Sendable {
        let place: CredentialPlace
        let value: String
        let secrets: [String]
        let problem: RequestError?

        init(_ place: CredentialPlace, _ value: String, problem: RequestError?) {
            self.place = place
            self.value = value
            secrets = Credential.secrets(in: value, at: place)
            self.problem = problem
        }
    }

    private let content: Content
    /// The expiry date, if it is known.
    public let expires: Date?

    var place: CredentialPlace { content.place }
    /// The value of the header, or the encoded query item; empty if nothing is sent.
    var value: String { content.value }
    /// The texts that must be masked wherever they appear.
    var secrets: [String] { content.secrets }
    /// The reason why the credential cannot be sent; nil if it can.
    var problem: RequestError? { content.problem }

    /// Creates a credential of any kind. One that cannot be sent has a problem, which each request with it throws.
    ///
    /// - Parameters:
    ///   - place: The header or query item, or nowhere.
    ///   - value: The value of the header, or the encoded query item; empty if nothing is sent.
    ///   - expires: The expiry date, if it is known.
    ///   - problem: The reason why it cannot be sent, if the caller knows one. Otherwise, the value is checked here.
    fileprivate init(_ place: CredentialPlace, _ value: String, expires: Date? = nil, problem: String? = nil) {
        if let problem {
            content = Content(place, value, problem: RequestError(.header, problem))
        } else {
            content = Content(place, value, problem: Self.problem(of: value, at: place))
        }
        self.expires = expires
    }

    /// The reason why a header may not have a value, such as a line break in it; nil if it may, for a query item, which
    /// is percent-encoded, and if nothing is sent.
    private static func problem(of value: String, at place: CredentialPlace) -> RequestError? {
        guard case .header(let name) = place else { return nil }
        do throws(RequestError) {
            try HTTPHeaders([HTTPHeaders.Field(name: name, value: value)]).validate()
            return nil
        } catch {
            return error
        }
    }
}

extension Credential: Hashable {
    /// Whether two credentials send the same in the same place.
    public static func == (left: Credential, right: Credential) -> Bool {
        left.place == right.place && left.value == right.value
    }

    /// Hashes what is sent.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(place)
        hasher.combine(value)
    }
}

extension Credential: CustomStringConvertible, CustomReflectable {
    /// The place that the credential is sent in, without its value.
    public var description: String {
        switch place {
        case .header(let name): "\(name): \(Masking.mask)"
        case .query(let name): "?\(name)=\(Masking.mask)"
        case .nowhere: "no credential"
        }
    }

    /// A mirror without children, so that `dump` does not show the value.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

// MARK: - Kinds

extension CredentialSource where Self == Credential {
    /// A token in the `Authorization` header (RFC 6750, section 2.1).
    ///
    /// - Parameters:
    ///   - token: The token. One with a line break or another control character causes a ``RequestError`` with the code
    ///     `header`.
    ///   - expires: When the token expires, if that is known. It is then replaced before it is sent.
    /// - Returns: The credential.
    public static func bearer(_ token: String, expires: Date? = nil) -> Credential {
        Credential(.header(.authorization), "Bearer \(token)", expires: expires)
    }

    /// A user and a password in the `Authorization` header, in UTF-8 (RFC 7617).
    ///
    /// - Parameters:
    ///   - user: The user. One with a colon or a control character causes a ``RequestError`` with the code `header`.
    ///   - password: The password. One with a control character causes a ``RequestError`` with the code `header`.
    /// - Returns: The credential.
    public static func basic(user: String, password: String) -> Credential {
        var problem: String?
        if user.utf8.contains(UInt8(ascii: ":")) {
            problem = "the user of a Basic credential contains a colon (RFC 7617, section 2)"
        } else if (user + password).utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            problem = "the user or password of a Basic credential contains a control character (RFC 7617, section 2)"
        }
        let pair = "\(user):\(password)".utf8Data.base64EncodedString()
        return Credential(.header(.authorization), "Basic \(pair)", problem: problem)
    }

    /// A header, such as an API key. A name or value that may not be sent causes a ``RequestError`` with the code
    /// `header`.
    public static func header(_ name: HTTPHeaders.Name, _ value: String) -> Credential {
        Credential(.header(name), value)
    }

    /// A query item, such as an API key. Prefer a header if the API accepts one: servers write URLs into their logs.
    public static func query(_ name: String, _ value: String) -> Credential {
        var bytes: [UInt8] = []
        bytes.append(name, percentEncoded: .query)
        bytes.append(UInt8(ascii: "="))
        bytes.append(value, percentEncoded: .query)
        return Credential(.query(bytes[...].queryItemName), String(decoding: bytes, as: UTF8.self))
    }
}

extension Credential {
    /// A credential that stands for a missing one: a source has none yet, but may get one. Nothing is sent with it.
    ///
    /// Like any other, it is replaced once for all requests: before anything is sent if it has expired, otherwise after
    /// the server has refused a request without a credential. A request with an `Authorization` header of its own is
    /// passed on unchanged.
    ///
    /// - Parameters:
    ///   - number: Which one it is. Once the source has been asked to replace a missing credential and had none, it is
    ///     only asked again for one with another number, for example after a sign-out.
    ///   - expires: `.distantPast` to replace it before the first request; nil to first send requests without one.
    /// - Returns: The credential, which is equal to those with the same number.
    package static func missing(_ number: Int, expires: Date? = nil) -> Credential {
        Credential(.nowhere(number), "", expires: expires)
    }
}

/// Where ``APIClient/authorized(by:for:leeway:isRefusal:)`` gets its credentials from: a ``Credential`` itself, or a
/// type of yours that logs in, refreshes a token and keeps what the server returns. <doc:Authentication> shows one.
public protocol CredentialSource: Sendable {
    /// Returns the credential to send now; nil sends the request without one. A source that has none yet returns one
    /// that has expired, such as `.bearer("", expires: .distantPast)`: it is replaced before it is sent, once for all
    /// requests.
    ///
    /// It is called for each request, so it should return what is in memory. What it throws is thrown by the request.
    func credential() async throws -> Credential?

    /// Returns a replacement for a credential that the server has refused or that is about to expire; nil if there is
    /// no other.
    ///
    /// It is called once for each credential, however many requests wait for it. Only after it has thrown, or after a
    /// refusal with the status 403, may a later request ask again. Its task is cancelled once no request is waiting;
    /// keep what a server has already returned.
    ///
    /// Requests that it sends through the authorized client are passed on without a credential. Its requests through a
    /// client with another source are sent with the credential that is known if that one is being replaced already,
    /// since the other source may be waiting for this one. A detached task (`Task.detached`) is not recognized: a
    /// request of the source there can wait for the source forever. Send requests in the task in which the source is
    /// asked, or in its child tasks.
    func replacement(for refused: Credential) async throws -> Credential?

    /// Returns a replacement for a credential that the server has refused; nil if there is no other. By default, it
    /// calls ``replacement(for:)``, which says what holds for both.
    ///
    /// A credential that expires soon is replaced by ``replacement(for:)``, since it has not been refused: implement
    /// both. Implement this one if the refusal says which credential is needed: in its `WWW-Authenticate` header, for
    /// example, an API names missing scopes (RFC 6750, section 3.1) or where to get a token (RFC 9728, section 5.1).
    ///
    /// - Parameters:
    ///   - refused: The credential.
    ///   - response: The refusal, with at most 64 KiB of its body. Its ``HTTPResponse/request`` is the request that was
    ///     refused.
    /// - Returns: The replacement.
    /// - Throws: Why there is no replacement now. Requests that wait for it fail with this error.
    func replacement(for refused: Credential, refusedBy response: HTTPResponse) async throws -> Credential?

    /// Whether a response means that the server has refused the credential. By default, if its status is 401 (RFC 9110,
    /// section 15.5.2).
    ///
    /// Implement it if the API refuses in another way, too, for example with the status 403 for a token without the
    /// necessary scope (RFC 6750, section 3.1). ``APIClient/authorized(by:for:leeway:isRefusal:)`` can override it.
    ///
    /// It is called for each response with a status from 400 to a request with a credential of this source, so it
    /// should be fast. An actor implements it as `nonisolated`.
    ///
    /// - Parameter response: The response, with at most 64 KiB of its body.
    /// - Returns: Whether the credential was refused. It is then replaced, and the request is sent again.
    func isRefusal(_ response: HTTPResponse) -> Bool
}

// MARK: - Default implementations

extension CredentialSource {
    /// Returns nil: a refused credential cannot be replaced.
    public func replacement(for refused: Credential) async throws -> Credential? { nil }

    /// Returns what ``replacement(for:)`` returns.
    public func replacement(for refused: Credential, refusedBy response: HTTPResponse) async throws -> Credential? {
        try await replacement(for: refused)
    }

    /// Whether the status of a response is 401.
    public func isRefusal(_ response: HTTPResponse) -> Bool { response.head.status == 401 }
}

extension Credential: CredentialSource {
    /// The credential itself.
    public func credential() async throws -> Credential? { self }
}

extension Credential {
    /// A whole value of the `Authorization` header, with its scheme.
    package static func authorization(_ value: String, expires: Date?) -> Credential {
        Credential(.header(.authorization), value, expires: expires)
    }
}
