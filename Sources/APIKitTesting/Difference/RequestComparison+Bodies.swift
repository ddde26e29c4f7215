import APIKitCore

extension RequestComparison {
    /// Compares bodies: JSON by its values, forms by their fields, other text by its lines, and anything else by its
    /// bytes.
    ///
    /// - Parameters:
    ///   - place: What the bodies are called.
    ///   - expected: The expected body.
    ///   - actual: The actual body.
    ///   - type: The type of both bodies; nil if they have none, or different ones.
    ///   - isSecret: Whether the bodies are secret as a whole.
    mutating func compareBodies(
        _ place: String, _ expected: RequestBody?, _ actual: RequestBody?, type: MIMEType?, isSecret: Bool = false
    ) {
        if let expected = expected?.form, let actual = actual?.form { return compareForms(place, expected, actual) }
        if let expected = expected?.data, let actual = actual?.data {
            guard expected != actual else { return }
            if isSecret { return report(place, .literal(Masking.mask), .literal(Masking.mask)) }
            return compareData(place, expected, actual, essence: type?.essence ?? "")
        }
        // Equal files differ as bodies if the size of only one of them is known.
        guard expected != actual, expected?.file == nil || expected?.file != actual?.file else { return }
        var texts = [expected, actual].map { $0.map { isSecret ? Masking.mask : masked($0.description) } }
        // Of two streams only the lengths are known.
        if texts[0] == texts[1], !isSecret { texts[1] = texts[1].map { "another, \($0)" } }
        report(place, texts[0].map(JSONValue.literal), texts[1].map(JSONValue.literal))
    }

    private mutating func compareData(_ place: String, _ expected: Data, _ actual: Data, essence: String) {
        if essence == MIMEType.json.essence || essence.hasSuffix("+json"),
            let expected = JSONValue(expected), let actual = JSONValue(actual)
        {
            compare(place, expected, actual)
        } else if let left = expected.plainText, let right = actual.plainText {
            guard essence == MIMEType.formURLEncoded.essence else { return compareLines(place, left, right) }
            compareFields("\(place) field", left.formFields, right.formFields)
        } else {
            compareBytes(place, expected, actual)
        }
    }

    private mutating func compareForms(_ place: String, _ expected: MultipartForm, _ actual: MultipartForm) {
        let names = [expected, actual].map { $0.parts.map(\.name).joined(separator: ", ") }
        guard names[0] == names[1] else { return compare("\(place) parts", .string(names[0]), .string(names[1])) }
        for (index, (left, right)) in zip(expected.parts, actual.parts).enumerated() {
            let part = "\(place) part \(index + 1) (\(left.name))"
            let types = [left, right].map(\.body.contentType)
            compare("\(part) filename", left.filename.map(JSONValue.string), right.filename.map(JSONValue.string))
            compare("\(part) type", types[0].map { .string($0.rawValue) }, types[1].map { .string($0.rawValue) })
            compareBodies(
                part, left.body, right.body, type: types[0] == types[1] ? types[0] : nil,
                isSecret: SecretNames.contains(left.name))
        }
    }

    /// Reports the first line that differs once secrets are masked.
    private mutating func compareLines(_ place: String, _ expected: String, _ actual: String) {
        let (left, right) = (masked(expected).lines, masked(actual).lines)
        let same = zip(left, right).prefix { $0.utf8.elementsEqual($1.utf8) }.count
        let lines = [left, right].map { same < $0.count ? JSONValue.string(String($0[same])) : nil }
        let isSecret = lines[0] == nil && lines[1] == nil
        let mask = isSecret ? JSONValue.literal(Masking.mask) : nil
        report("\(place) line \(same + 1)", lines[0] ?? mask, lines[1] ?? mask)
    }

    /// Reports the first byte that differs.
    private mutating func compareBytes(_ place: String, _ expected: Data, _ actual: Data) {
        let same = zip(expected, actual).prefix { $0 == $1 }.count
        let texts = [expected, actual].map { bytes in
            let byte = bytes.dropFirst(same).first.map { "0x\(String($0, radix: 16))" } ?? "its end"
            return JSONValue.literal("\(bytes.count) bytes, \(byte) at \(same)")
        }
        report(place, texts[0], texts[1])
    }
}

extension Data {
    /// The bytes as text; nil if they are not UTF-8, hold control characters, or are markup, in which secrets are not
    /// recognized.
    fileprivate var plainText: String? {
        let isPlain = allSatisfy { $0 >= 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        return isPlain && !Masking.hasHiddenNames(self) ? String(data: self, encoding: .utf8) : nil
    }
}

extension String {
    /// The lines, as LF ends them.
    fileprivate var lines: [Substring] {
        utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Substring.init)
    }

    /// The fields of a query or form, as they are encoded.
    var formFields: [JSONValue.Member] {
        split(separator: "&", omittingEmptySubsequences: false).map { item in
            (String(item.prefix { $0 != "=" }), .string(String(item.drop { $0 != "=" }.dropFirst())))
        }
    }
}
