package import APIKitCore

extension JSONValue {
    /// Reads a text (RFC 8259); nil if it is not JSON, is nested more than 100 levels deep, or names a member twice.
    package init?(_ data: Data) {
        let bytes = Array(data)
        var reader = Reader(bytes: bytes, tokens: JSONTokens(bytes))
        guard JSONTokens.areValid(in: data), let value = reader.value(from: reader.tokens.next(), depth: 100) else {
            return nil
        }
        self = value
    }

    /// Reads a text of valid grammar, but for its strings and numbers.
    private struct Reader {
        let bytes: [UInt8]
        var tokens: JSONTokens

        mutating func value(from token: JSONTokens.Element?, depth: Int) -> JSONValue? {
            guard let token, depth > 0 else { return nil }
            switch token.kind {
            case .open: return container(isObject: bytes[token.range.lowerBound] == UInt8(ascii: "{"), depth: depth)
            case .string: return JSONTokens.unescaped(bytes[token.range]).map(JSONValue.string)
            case .scalar:
                let text = String(decoding: bytes[token.range], as: UTF8.self)
                return ["true", "false", "null"].contains(text) || isNumber(text) ? .literal(text) : nil
            case .close, .colon, .comma: return nil
            }
        }

        private mutating func container(isObject: Bool, depth: Int) -> JSONValue? {
            var (members, commas): ([Member], Int) = ([], 0)
            while let token = tokens.next(), token.kind != .close {
                if token.kind == .comma {
                    commas += 1
                    continue
                }
                let name = isObject ? JSONTokens.unescaped(bytes[token.range]) : ""
                if isObject { _ = tokens.next() }  // the colon
                guard let name, let value = value(from: isObject ? tokens.next() : token, depth: depth - 1) else {
                    return nil
                }
                members.append((name, value))
            }
            // Foundation's decoder takes a comma after the last value.
            guard commas == max(members.count - 1, 0) else { return nil }
            if !isObject { return .list(members.map(\.value)) }
            return Set(members.map { Array($0.name.utf8) }).count == members.count ? .object(members) : nil
        }

        /// Whether a text is a number (RFC 8259, section 6).
        private func isNumber(_ text: String) -> Bool {
            var rest = text[...]
            func take(_ signs: String) -> Bool {
                guard let first = rest.first, signs.contains(first) else { return false }
                rest.removeFirst()
                return true
            }
            func takeDigits() -> Bool {
                let count = rest.count
                while take("0123456789") {}
                return rest.count < count
            }
            _ = take("-")
            guard take("0") || takeDigits(), !take(".") || takeDigits() else { return false }
            if take("eE") {
                _ = take("+-")
                if !takeDigits() { return false }
            }
            return rest.isEmpty
        }
    }
}
