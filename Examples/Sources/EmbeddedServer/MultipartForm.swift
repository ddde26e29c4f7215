import Foundation

/// Reads `multipart/form-data` (RFC 7578) strictly, so that mistakes of the examples are noticed.
struct MultipartForm {
    /// One part: a field, or a file if it has a filename.
    struct Part {
        let name: String
        let filename: String?
        let contentType: String
        let content: Data
    }

    /// The reason why a body is not a form.
    struct Malformed: Error {
        let reason: String
    }

    /// The parts in their order.
    let parts: [Part]

    /// Splits a body into its parts, by the grammar of RFC 2046, section 5.1.1.
    ///
    /// - Throws: ``Malformed`` if the body is cut off, or a part has no name.
    init(_ body: Data, boundary: String) throws(Malformed) {
        let lineBreak = Data("\r\n".utf8)
        let delimiter = Data("\r\n--\(boundary)".utf8)
        // The line break before the first delimiter is optional.
        let body = lineBreak + body
        guard var cursor = body.range(of: delimiter)?.upperBound else {
            throw Malformed(reason: "The boundary does not occur in the body.")
        }
        var parts: [Part] = []
        while !body[cursor...].starts(with: Data("--".utf8)) {
            let head = body[cursor...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            guard head.starts(with: lineBreak) else {
                throw Malformed(reason: "The boundary occurs inside a line.")
            }
            guard let emptyLine = head.range(of: lineBreak + lineBreak),
                let next = body.range(of: delimiter, in: emptyLine.upperBound..<body.endIndex)
            else { throw Malformed(reason: "The last boundary is missing.") }
            let headers = String(decoding: head[..<emptyLine.lowerBound], as: UTF8.self)
            parts.append(try Part(headers: headers, content: Data(body[emptyLine.upperBound..<next.lowerBound])))
            cursor = next.upperBound
        }
        self.parts = parts
    }
}

extension MultipartForm.Part {
    /// Creates a part from its header lines.
    fileprivate init(headers: String, content: Data) throws(MultipartForm.Malformed) {
        var disposition: ParameterizedHeader?
        var contentType: String?
        for line in headers.split(separator: "\r\n") {
            let sides = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard sides.count == 2 else { throw MultipartForm.Malformed(reason: "This is not a header: \(line)") }
            switch sides[0].lowercased() {
            case "content-disposition": disposition = ParameterizedHeader(sides[1])
            case "content-type": contentType = sides[1]
            default: break
            }
        }
        guard let disposition, disposition.value == "form-data", let name = disposition.parameters["name"] else {
            throw MultipartForm.Malformed(reason: "A part has no Content-Disposition: form-data with a name.")
        }
        self.name = Self.unescaped(name)
        self.filename = disposition.parameters["filename"].map(Self.unescaped)
        self.contentType = contentType ?? "text/plain"  // RFC 7578, section 4.4
        self.content = content
    }

    /// A name without its escapes, which are defined in WHATWG's HTML standard, section 4.10.21.8.
    private static func unescaped(_ name: String) -> String {
        name.replacingOccurrences(of: "%0D", with: "\r")
            .replacingOccurrences(of: "%0A", with: "\n")
            .replacingOccurrences(of: "%22", with: "\"")
    }
}
