import APIKitSupport

extension Data: APIResponse {
    /// Returns the body unchanged.
    public static func process(data: Data) throws -> Data {
        data
    }
}

extension String: APIResponse {
    /// `text/plain`, and any other type if the server does not have it, such as HTML, CSV or XML.
    public static var acceptedTypes: [MIMEType] { [.plainText, "*/*;q=0.1"] }

    /// Reads UTF-8.
    ///
    /// - Throws: ``ContentError`` if the bytes are not valid UTF-8.
    public static func process(data: Data) throws -> String {
        try text(of: data, charset: nil)
    }

    /// Reads text in the charset that the `Content-Type` names: UTF-8, which is also the default, UTF-16, UTF-32, ASCII
    /// or ISO 8859-1, by any of their registered names. A byte order mark is not part of the text.
    ///
    /// - Throws: ``ContentError`` for another charset, and for bytes that are not valid in theirs.
    public static func process(response: HTTPResponse) async throws -> String {
        try text(of: try await response.body.wholeData, charset: response.head.charset)
    }

    /// Reads text in a charset; UTF-8 if it is nil.
    private static func text(of data: Data, charset: String?) throws(ContentError) -> String {
        let name = charset ?? "utf-8"
        guard let charset = Charset(name: name) else { throw .unsupported(charset: name) }
        guard let text = charset.text(of: data) else {
            throw ContentError(.invalidText, "the bytes are not valid \(name)")
        }
        return text
    }
}

extension HTTPResponse.Head {
    /// The charset that the `Content-Type` names, in lower case; nil if it names none, or an empty one.
    ///
    /// Some servers put it in apostrophes, which are removed. They are valid in a token (RFC 9110, section 5.6.2), but
    /// no charset has a name with apostrophes.
    package var charset: String? {
        guard var name = contentType?.parameter("charset")?.utf8[...] else { return nil }
        let apostrophe = UInt8(ascii: "'")
        let isQuoted = name.count > 1 && name.first == apostrophe && name.last == apostrophe
        if isQuoted { name = name.dropFirst().dropLast() }
        let isBlank = Substring(name).trimmingSpaces().isEmpty
        return isBlank ? nil : Substring(name).lowercased()
    }
}

extension ByteStream: APIResponse {
    /// As a stream.
    public static var delivery: ResponseBody.Delivery { .stream }

    /// Returns a stream of bytes in memory.
    public static func process(data: Data) throws -> ByteStream {
        ByteStream([data])
    }

    /// Returns the body as it arrives.
    public static func process(response: HTTPResponse) async throws -> ByteStream {
        response.body.bytes
    }
}

extension Optional: APIResponse where Wrapped: APIResponse {
    /// The wrapped type's model, or nil.
    public typealias Model = Wrapped.Model?

    /// The wrapped type's value.
    public static var delivery: ResponseBody.Delivery { Wrapped.delivery }
    /// The wrapped type's value.
    public static var acceptedTypes: [MIMEType] { Wrapped.acceptedTypes }

    /// Whether the wrapped type accepts the response.
    public static func isSuccess(_ head: HTTPResponse.Head) -> Bool {
        Wrapped.isSuccess(head)
    }

    /// Returns nil for an empty body, but not for a JSON `null`.
    public static func process(data: Data) throws -> Wrapped.Model? {
        data.isEmpty ? nil : try Wrapped.process(data: data)
    }

    /// Returns nil for an empty body, such as the body of a 204.
    public static func process(response: HTTPResponse) async throws -> Wrapped.Model? {
        if response.head.status == 204 || response.body.data?.isEmpty == true { return nil }
        return try await Wrapped.process(response: response)
    }
}

/// The result of a lookup, whose 404 becomes nil instead of a failure: `typealias Response = NilIfNotFound<User>`.
public enum NilIfNotFound<Wrapped: APIResponse>: APIResponse {
    /// The wrapped type's model, or nil.
    public typealias Model = Wrapped.Model?

    /// The wrapped type's value.
    public static var delivery: ResponseBody.Delivery { Wrapped.delivery }
    /// The wrapped type's value.
    public static var acceptedTypes: [MIMEType] { Wrapped.acceptedTypes }

    /// Whether the wrapped type accepts the response, or its status is 404 (RFC 9110, section 15.5.5).
    public static func isSuccess(_ head: HTTPResponse.Head) -> Bool {
        head.status == 404 || Wrapped.isSuccess(head)
    }

    /// Reads the wrapped type.
    public static func process(data: Data) throws -> Wrapped.Model? {
        try Wrapped.process(data: data)
    }

    /// Returns nil for a 404, and otherwise reads the wrapped type.
    public static func process(response: HTTPResponse) async throws -> Wrapped.Model? {
        response.head.status == 404 ? nil : try await Wrapped.process(response: response)
    }
}

/// The result of an operation, whose 202 becomes nil while it is not finished:
/// `typealias Response = NilIfAccepted<Export>`.
public enum NilIfAccepted<Wrapped: APIResponse>: APIResponse {
    /// The wrapped type's model, or nil.
    public typealias Model = Wrapped.Model?

    /// The wrapped type's value.
    public static var delivery: ResponseBody.Delivery { Wrapped.delivery }
    /// The wrapped type's value.
    public static var acceptedTypes: [MIMEType] { Wrapped.acceptedTypes }

    /// Whether the wrapped type accepts the response, or its status is 202 (RFC 9110, section 15.3.3).
    public static func isSuccess(_ head: HTTPResponse.Head) -> Bool {
        head.status == 202 || Wrapped.isSuccess(head)
    }

    /// Reads the wrapped type.
    public static func process(data: Data) throws -> Wrapped.Model? {
        try Wrapped.process(data: data)
    }

    /// Returns nil for a 202, whatever its body is, and otherwise reads the wrapped type.
    public static func process(response: HTTPResponse) async throws -> Wrapped.Model? {
        response.head.status == 202 ? nil : try await Wrapped.process(response: response)
    }
}

/// A response without a body to read, such as a 204, or with a body that does not matter.
public struct NoContent: APIResponse, Hashable {
    /// Creates a value.
    public init() {}

    /// Ignores the body.
    public static func process(data: Data) throws -> NoContent {
        NoContent()
    }
}
