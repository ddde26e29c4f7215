import APIKitSupport

/// A form with files, `multipart/form-data` (RFC 7578, with names encoded as in WHATWG HTML).
///
/// Parameters with a file among them are sent as one automatically; create one for parts of your own:
///
/// ```swift
/// var body: RequestBody? {
///     var form = MultipartForm()
///     form.append("Beach", for: "title")
///     form.append(FilePart(jpeg, filename: "beach.jpg"), for: "photo")
///     return .multipart(form)
/// }
/// ```
///
/// The boundary holds 128 random bits, so that it never occurs in a part. It is created with the form, and stays the
/// same if the body is sent again.
public struct MultipartForm: Sendable, Equatable {
    /// One part of a form.
    public struct Part: Sendable, Equatable {
        /// The field's name.
        public let name: String
        /// The file's name, if the part is a file that has one.
        public let filename: String?
        /// The bytes and their type, which is nil for a text field.
        public let body: RequestBody

        /// Returns the part with another body.
        fileprivate func with(_ body: RequestBody) -> Part {
            Part(name: name, filename: filename, body: body)
        }
    }

    /// The separator of the parts: 1 to 70 characters (RFC 2046, section 5.1.1).
    public let boundary: String
    /// The parts, in order; names may repeat.
    public internal(set) var parts: [Part] = []
    /// The error of parameters that cannot be sent.
    var problem: RequestError?

    /// Creates an empty form; pass a boundary in tests that compare bytes.
    public init(boundary: String? = nil) {
        self.boundary = boundary ?? Self.randomBoundary()
    }

    /// Appends a text field.
    ///
    /// The text is sent as it is. A browser's form changes each line break to CRLF (WHATWG HTML, multipart/form-data
    /// encoding), which RFC 7578 does not ask for: a server that expects it gets such a text.
    public mutating func append(_ text: String, for name: String) {
        parts.append(Part(name: name, filename: nil, body: .data(text.utf8Data, contentType: nil)))
    }

    /// Appends a file.
    public mutating func append(_ file: FilePart, for name: String) {
        parts.append(Part(name: name, filename: file.filename, body: file.body))
    }

    /// The type of the body, with the boundary.
    var contentType: MIMEType {
        let value = boundary.isToken ? boundary : "\"\(boundary)\""
        return MIMEType(rawValue: "\(MIMEType.multipartFormData.rawValue); boundary=\(value)")
    }

    private static func randomBoundary() -> String {
        let parts = (0..<2).map { _ in String(UInt64.random(in: 0...UInt64.max), radix: 36) }
        return "apikit-\(parts.joined(separator: "-"))"
    }
}

// MARK: - Encoding

extension MultipartForm {
    /// Checks everything that needs no access to files.
    ///
    /// - Throws: ``RequestError`` for a parameter that cannot be sent, an invalid boundary, and a part whose type is
    ///   empty or holds a line break.
    func validate() throws(RequestError) {
        if let problem { throw problem }
        guard (1...70).contains(boundary.utf8.count), boundary.allBytesSatisfy(ByteSet.boundary.contains) else {
            throw RequestError(.body, "the multipart boundary is not 1 to 70 characters of RFC 2046, section 5.1.1")
        }
        for part in parts {
            if let type = part.body.contentType?.rawValue, type.isEmpty || !type.isFieldValue {
                let name = part.name.debugDescription
                throw RequestError(.body, "the type of the part \(name) is empty or holds a line break")
            }
            try part.body.validate()
        }
    }

    /// Returns the form as it is sent: checked, and with the sizes of its files.
    ///
    /// - Throws: ``RequestError`` if the form is invalid or a file cannot be read.
    func prepared() throws(RequestError) -> MultipartForm {
        try validate()
        var form = self
        form.parts = []
        for part in parts { form.parts.append(part.with(try part.body.prepared())) }
        return form
    }

    /// The bytes of a valid form (RFC 7578, section 4). The bytes of its parts are not copied.
    var pieces: [BodyReader.Piece] {
        var pieces: [BodyReader.Piece] = []
        var lineEnd = ""
        for part in parts {
            pieces.append(.data("\(lineEnd)\(head(of: part))".utf8Data))
            pieces += part.body.pieces
            lineEnd = "\r\n"
        }
        return pieces + [.data("\(lineEnd)--\(boundary)--\r\n".utf8Data)]
    }

    private func head(of part: Part) -> String {
        let name = Self.escaping(Self.normalizingNewlines(inName: part.name))
        var head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\""
        if let filename = part.filename { head += "; filename=\"\(Self.escaping(Array(filename.utf8)))\"" }
        if let type = part.body.contentType { head += "\r\nContent-Type: \(type)" }
        return "\(head)\r\n\r\n"
    }

    /// Percent-encodes `"`, CR and LF, which a name cannot hold (WHATWG HTML, multipart/form-data encoding).
    private static func escaping(_ name: [UInt8]) -> String {
        var bytes = name
        bytes.replace("\"".utf8, with: "%22".utf8)
        bytes.replace("\r".utf8, with: "%0D".utf8)
        bytes.replace("\n".utf8, with: "%0A".utf8)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns a field's name with each CR, LF and CRLF replaced by CRLF (WHATWG HTML, multipart/form-data encoding).
    private static func normalizingNewlines(inName name: String) -> [UInt8] {
        var bytes = Array(name.utf8)
        bytes.replace("\r\n".utf8, with: "\n".utf8)
        bytes.replace("\r".utf8, with: "\n".utf8)
        bytes.replace("\n".utf8, with: "\r\n".utf8)
        return bytes
    }
}

extension MultipartForm {
    /// The same form for a record, without the closures of its streams.
    var withoutStreams: MultipartForm {
        var form = self
        form.parts = parts.map { $0.with($0.body.withoutStreams) }
        return form
    }
}

/// A file among the parameters of a request, or in a ``MultipartForm``.
///
/// ```swift
/// var parameters: Parameters {
///     ["caption": caption, "photo": FilePart(jpeg, filename: "beach.jpg")]
/// }
/// ```
///
/// A file among the parameters of an ``APIRequest`` makes its body `multipart/form-data`. If the file is optional and
/// nil, the parameters hold no trace of it, and are sent as `application/x-www-form-urlencoded`. If the server takes
/// only multipart, conform the endpoint to ``MultipartRequest``.
public struct FilePart: Sendable, Equatable {
    /// The file's bytes and their type, which is never nil here.
    public let body: RequestBody
    /// The file's name as sent to the server, if any.
    public let filename: String?

    /// Creates a file from bytes in memory. By default its type follows from the name's extension.
    public init(_ data: Data, filename: String?, contentType: MIMEType? = nil) {
        self.init(.data(data, contentType: contentType), filename: filename)
    }

    /// Creates a file from one on disk, of any size, which is not read into memory. By default it keeps its name, and
    /// its type follows from the name's extension.
    public init(_ file: URL, filename: String? = nil, contentType: MIMEType? = nil) {
        let filename = filename ?? file.lastPathComponent
        self.init(.file(file, contentType: contentType ?? MIMEType(filename: filename)), filename: filename)
    }

    /// Creates a file from any kind of body, such as a stream. If the body has no type, it follows from the name's
    /// extension.
    public init(_ body: RequestBody, filename: String?) {
        var type = body.contentType
        if type == nil, let filename { type = MIMEType(filename: filename) }
        self.body = RequestBody(contentType: type ?? .octetStream, content: body.content)
        self.filename = filename
    }
}

extension MultipartForm {
    /// The form with secret fields masked, and each part that is not text replaced by its number of bytes.
    var masked: MultipartForm {
        var form = self
        form.parts = parts.map { part in
            guard let text = part.maskedText else { return part }
            return part.with(.data(text.utf8Data, contentType: part.body.contentType))
        }
        return form
    }
}

extension MultipartForm.Part {
    /// The text that replaces the part's bytes: a mask, the text of a field, or the number of bytes; nil for a file on
    /// disk and a stream, which are not read.
    fileprivate var maskedText: String? {
        guard body.file == nil, let data = body.data else { return nil }
        if SecretNames.contains(name) { return Masking.mask }
        let isField = filename == nil
        guard isField, let text = String(data: data, encoding: .utf8) else { return "(\(data.count) bytes)" }
        return Masking.masked(text)
    }
}

extension MultipartForm: CustomStringConvertible {
    /// One line per part, with secrets masked and the bytes of files counted.
    public var description: String {
        parts.map { Masking.oneLine("\($0.name): \($0.excerpt)") }.joined(separator: "\n")
    }
}

extension MultipartForm.Part {
    /// The part without its name, for the form's description: the name, type and size of a file, or the beginning of a
    /// text.
    fileprivate var excerpt: String {
        if let filename {
            let type = body.contentType ?? .octetStream
            guard let length = body.length else { return "\(filename) (\(type))" }
            return "\(filename) (\(type), \(length) bytes)"
        }
        if SecretNames.contains(name) { return Masking.mask }
        guard let data = body.data else { return body.description }
        return Masking.excerpt(of: data, limit: 200, onOneLine: true)
    }
}
