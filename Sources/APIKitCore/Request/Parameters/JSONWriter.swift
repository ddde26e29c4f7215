/// Writes parameters as a JSON object (RFC 8259), with its members in the order of the parameters.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []
    private let style: ParameterStyle

    init(style: ParameterStyle) {
        self.style = style
    }

    /// Writes an object.
    ///
    /// - Throws: ``RequestError`` for a file, a number that is not finite, or a name that appears twice in one object.
    mutating func append(_ members: Parameters) throws(RequestError) {
        // Names are compared by their bytes, since Swift considers the two spellings of é equal.
        var names: Set<[UInt8]> = []
        bytes.append(UInt8(ascii: "{"))
        for member in members.fields {
            if !names.isEmpty { bytes.append(UInt8(ascii: ",")) }
            guard names.insert(Array(member.name.utf8)).inserted else {
                throw RequestError(.parameters, "\(member.name.debugDescription) appears twice in a JSON object")
            }
            bytes.append(jsonString: member.name)
            bytes.append(UInt8(ascii: ":"))
            try append(member.value, named: member.name)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Writes a value.
    ///
    /// - Throws: ``RequestError`` with the name of the value, or of the list that it is in.
    private mutating func append(_ node: Parameters.Node, named name: String) throws(RequestError) {
        switch node.content {
        case .null, .absent: bytes += "null".utf8
        case .text(let text): bytes.append(jsonString: text)
        case .number(let digits): bytes += digits.utf8
        case .boolean(let value): bytes += (value ? "true" : "false").utf8
        case .date(let date, let own):
            let dates = own ?? style.dates
            let text = try dates.text(of: date, named: name)
            if dates.isNumber {
                bytes += text.utf8
            } else {
                bytes.append(jsonString: text)
            }
        case .list(let nodes):
            bytes.append(UInt8(ascii: "["))
            for (index, node) in nodes.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                try append(node, named: name)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members): try append(members)
        case .file:
            let problem = "the file \(name.debugDescription) does not fit into JSON: use an APIRequest for a form"
            throw RequestError(.parameters, problem)
        case .invalid(let problem): throw RequestError(.parameters, "\(name.debugDescription): \(problem)")
        }
    }
}

extension [UInt8] {
    /// Appends a text as a string of JSON (RFC 8259, section 7).
    package mutating func append(jsonString text: String) {
        append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): self += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n"): self += "\\n".utf8
            case UInt8(ascii: "\r"): self += "\\r".utf8
            case UInt8(ascii: "\t"): self += "\\t".utf8
            case 0..<0x20:
                let digits = String(byte, radix: 16)
                let padding = digits.utf8.count == 1 ? "0" : ""
                self += "\\u00\(padding)\(digits)".utf8
            default: append(byte)
            }
        }
        append(UInt8(ascii: "\""))
    }
}
