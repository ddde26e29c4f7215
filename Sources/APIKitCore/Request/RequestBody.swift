#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The body of a request, and its type. It can be sent again byte for byte, by a redirect or a repeat.
///
/// Most endpoints need none: ``APIRequest/parameters`` become one. What cannot be encoded surfaces as a ``RequestError``
/// from ``APIRequest/httpRequest()``.
public struct RequestBody: Sendable, Hashable {
    /// The type, which becomes the `Content-Type` unless the request's own headers name one; nil sends none.
    public let contentType: MIMEType?
    let content: Content

    enum Content: Sendable, Hashable {
        case data(Data)
        /// Written when it is sent, so that its files are not held twice.
        case multipart(MultipartForm)
        case failure(RequestError)
    }

    /// The bytes; nil where they could not be made.
    public var data: Data? {
        switch content {
        case .data(let data): data
        case .multipart(let form): (try? form.validate()).map(form.encoded)
        case .failure: nil
        }
    }

    /// Whether the type holds a boundary, and so must be this body's own.
    var isMultipart: Bool {
        if case .multipart = content { true } else { false }
    }

    /// - Throws: ``RequestError`` where the bytes could not be made.
    func validate() throws(RequestError) {
        switch content {
        case .data: break
        case .multipart(let form): try form.validate()
        case .failure(let error): throw error
        }
    }

    private init(contentType: MIMEType?, content: Content) {
        self.contentType = contentType
        self.content = content
    }

    private init(contentType: MIMEType, _ make: () throws(RequestError) -> Data) {
        self.contentType = contentType
        do throws(RequestError) {
            content = .data(try make())
        } catch {
            content = .failure(error)
        }
    }

    /// A value as JSON, by an encoder with the API's conventions; sorted by key unless given, so that the wire is the
    /// same each time.
    public static func json(_ value: some Encodable, encoder: any DataEncoder = StandardJSON.encoder) -> RequestBody {
        RequestBody(contentType: .json) { () throws(RequestError) in
            do {
                return try encoder.encode(value)
            } catch {
                throw RequestError(.body, "\(type(of: value)) could not be encoded: \(ErrorText.of(error))")
            }
        }
    }

    /// Parameters as a JSON object, its members in their order.
    public static func json(_ parameters: Parameters, style: ParameterStyle = ParameterStyle()) -> RequestBody {
        RequestBody(contentType: .json) { () throws(RequestError) in
            var writer = JSONWriter(style: style)
            try writer.append(parameters)
            return Data(writer.bytes)
        }
    }

    /// Parameters as a plain form, `application/x-www-form-urlencoded` (WHATWG URL, section 5).
    public static func form(_ parameters: Parameters, style: ParameterStyle = ParameterStyle()) -> RequestBody {
        RequestBody(contentType: .formURLEncoded) { () throws(RequestError) in
            var encoder = QueryEncoder(style: style, encoding: .form)
            try encoder.append(parameters)
            return Data(encoder.bytes)
        }
    }

    /// A form with files, `multipart/form-data` (RFC 7578).
    public static func multipart(_ form: MultipartForm) -> RequestBody {
        RequestBody(contentType: form.contentType, content: .multipart(form))
    }

    /// Bytes as they are.
    public static func data(_ data: Data, contentType: MIMEType?) -> RequestBody {
        RequestBody(contentType: contentType, content: .data(data))
    }
}

extension RequestBody: CustomStringConvertible {
    /// The first bytes, with secrets masked; what is not text is counted.
    public var description: String {
        switch content {
        case .data(let data): Masking.excerpt(of: data, limit: 2_000, onOneLine: false)
        case .multipart(let form): form.description
        case .failure(let error): "(\(error.message))"
        }
    }
}
