extension MultipartForm {
    /// The form with secret fields masked, and only the number of bytes of what is not text.
    var masked: MultipartForm {
        var form = self
        for (index, part) in parts.enumerated() where part.body.file == nil {
            guard let data = part.body.data else { continue }
            let text = part.filename == nil ? String(data: data, encoding: .utf8).map(Masking.masked) : nil
            let shown = SecretNames.contains(part.name) ? Masking.mask : text ?? "(\(data.count) bytes)"
            form.parts[index].body = .data(Data(shown.utf8), contentType: part.body.contentType)
        }
        return form
    }
}

extension MultipartForm: CustomStringConvertible {
    /// One line per part, with secrets masked and the bytes of files counted.
    public var description: String {
        parts.map { Masking.oneLine("\($0.name): \($0.excerpt)") }.joined(separator: "\n")
    }
}

extension MultipartForm.Part {
    fileprivate var excerpt: String {
        if let filename {
            "\(filename) (\(body.contentType ?? .octetStream)\(body.length.map { ", \($0) bytes" } ?? ""))"
        } else if SecretNames.contains(name) {
            Masking.mask
        } else if let data = body.data {
            Masking.excerpt(of: data, limit: 200, onOneLine: true)
        } else {
            body.description
        }
    }
}
