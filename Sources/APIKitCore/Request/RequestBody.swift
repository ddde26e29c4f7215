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
    /// The bytes, or why there are none.
    let content: Result<Data, RequestError>

    /// The bytes; nil where they could not be made.
    public var data: Data? { try? content.get() }

    private init(contentType: MIMEType?, _ make: () throws(RequestError) -> Data) {
        self.contentType = contentType
        do throws(RequestError) {
            content = .success(try make())
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
        RequestBody(contentType: form.contentType, form.encoded)
    }

    /// Bytes as they are.
    public static func data(_ data: Data, contentType: MIMEType?) -> RequestBody {
        RequestBody(contentType: contentType) { () throws(RequestError) in data }
    }
}

extension RequestBody: CustomStringConvertible {
    /// The first bytes, with secrets masked; what is not text is counted.
    public var description: String {
        switch content {
        case .success(let data): Masking.excerpt(of: data, limit: 2_000, onOneLine: false)
        case .failure(let error): "(\(error.message))"
        }
    }
}
