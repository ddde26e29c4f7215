/// A form with files, `multipart/form-data` (RFC 7578 and the WHATWG's encoding of names).
///
/// Parameters with a file among them become one by themselves; write one by hand for parts of your own:
///
/// ```swift
/// var body: RequestBody? {
///     var form = MultipartForm()
///     form.append("title", "Beach")
///     form.append("photo", FilePart(jpeg, filename: "beach.jpg"))
///     return .multipart(form)
/// }
/// ```
///
/// The boundary holds 128 random bits, so the parts need not be searched for it; it is made once, with the form, and so
/// is the same when the body is sent again.
public struct MultipartForm: Sendable, Hashable {
    /// One part of a form.
    public struct Part: Sendable, Hashable {
        /// The field's name.
        public let name: String
        /// The file's name; nil for a part that is no file.
        public let filename: String?
        /// The type of the bytes; nil for plain text.
        public let contentType: MIMEType?
        /// The bytes.
        public internal(set) var body: RequestBody
    }

    /// What separates the parts: 1 to 70 characters (RFC 2046, section 5.1.1).
    public let boundary: String
    /// The parts, in order; names may repeat.
    public private(set) var parts: [Part] = []
    /// What is wrong with the parameters that the form was created from.
    var problem: RequestError?

    /// Makes an empty form; a boundary is given for tests that compare bytes.
    public init(boundary: String? = nil) {
        self.boundary = boundary ?? Self.randomBoundary()
    }

    /// Adds a text field; a lone CR or LF in it becomes CRLF, as in a browser's form.
    public mutating func append(_ name: String, _ text: String) {
        let data = Data(Self.normalizingNewlines(in: text).utf8)
        parts.append(Part(name: name, filename: nil, contentType: nil, body: .data(data, contentType: nil)))
    }

    /// Adds a file.
    public mutating func append(_ name: String, _ file: FilePart) {
        parts.append(Part(name: name, filename: file.filename, contentType: file.contentType, body: file.body))
    }

    /// The type of the body, with the boundary.
    var contentType: MIMEType {
        let needsQuotes = !boundary.isToken
        return MIMEType(
            rawValue: "\(MIMEType.multipartFormData.rawValue); boundary=\(needsQuotes ? "\"\(boundary)\"" : boundary)")
    }

    private static func randomBoundary() -> String {
        var generator = SystemRandomNumberGenerator()
        return "apikit-" + (0..<2).map { _ in String(generator.next() as UInt64, radix: 36) }.joined(separator: "-")
    }
}

// MARK: - Writing it

extension MultipartForm {
    /// The form as it can be sent: checked, and with the sizes of its files.
    ///
    /// - Throws: ``RequestError`` for a parameter that cannot be sent, an invalid boundary, a part whose type holds a line
    ///   break, and a file that cannot be read.
    func prepared() throws(RequestError) -> MultipartForm {
        if let problem { throw problem }
        guard (1...70).contains(boundary.utf8.count), boundary.utf8.allSatisfy(ByteSet.boundary.contains) else {
            throw RequestError(.body, "the multipart boundary is not 1 to 70 characters of RFC 2046, section 5.1.1")
        }
        var form = self
        for (index, part) in parts.enumerated() {
            if let type = part.contentType?.rawValue, type.isEmpty || !type.isFieldValue {
                let name = part.name.debugDescription
                throw RequestError(.body, "the type of the part \(name) is empty or holds a line break")
            }
            form.parts[index].body = try part.body.prepared()
        }
        return form
    }

    /// The body's bytes (RFC 7578, section 4), of a form that is valid; the parts' are not copied.
    var pieces: [BodyReader.Piece] {
        var pieces: [BodyReader.Piece] = []
        var lineEnd = ""
        for part in parts {
            pieces.append(.data(Data("\(lineEnd)\(head(of: part))".utf8)))
            pieces += part.body.pieces
            lineEnd = "\r\n"
        }
        return pieces + [.data(Data("\(lineEnd)--\(boundary)--\r\n".utf8))]
    }

    private func head(of part: Part) -> String {
        let name = Self.escaping(Self.normalizingNewlines(in: part.name))
        var head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\""
        if let filename = part.filename { head += "; filename=\"\(Self.escaping(filename))\"" }
        if let type = part.contentType { head += "\r\nContent-Type: \(type)" }
        return "\(head)\r\n\r\n"
    }

    /// WHATWG HTML, multipart/form-data encoding: `"`, CR and LF cannot stand in a name.
    private static func escaping(_ name: String) -> String {
        var bytes: [UInt8] = []
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "\""), 0x0D, 0x0A: bytes.appendPercentEncoded(byte)
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func normalizingNewlines(in text: String) -> String {
        var bytes: [UInt8] = []
        var previous: UInt8 = 0
        for byte in text.utf8 {
            if byte == 0x0D || (byte == 0x0A && previous != 0x0D) {
                bytes += [0x0D, 0x0A]
            } else if byte != 0x0A {
                bytes.append(byte)
            }
            previous = byte
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension MultipartForm: CustomStringConvertible {
    /// One line a part, with secrets masked and files counted.
    public var description: String {
        parts.map { part in
            let content =
                if let filename = part.filename {
                    "\(filename) (\(part.contentType ?? .octetStream)\(part.body.length.map { ", \($0) bytes" } ?? ""))"
                } else if SecretNames.contains(part.name) {
                    Masking.mask
                } else if let data = part.body.data {
                    Masking.excerpt(of: data, limit: 200, onOneLine: true)
                } else {
                    part.body.description
                }
            return Masking.oneLine("\(part.name): \(content)")
        }
        .joined(separator: "\n")
    }
}
