import APIKitCore
import APIKitSupport

extension RequestComparison {
    /// Compares bodies: JSON by its values, forms by their fields, other text by its lines, and anything else by its
    /// bytes.
    ///
    /// - Parameters:
    ///   - place: The name of the bodies in the difference.
    ///   - expected: The expected body.
    ///   - actual: The actual body.
    ///   - type: The type of both bodies; nil if they have none, or different ones.
    ///   - isSecret: Whether the bodies are secret as a whole.
    mutating func compareBodies(
        _ place: String, _ expected: RequestBody?, _ actual: RequestBody?, type: MIMEType?, isSecret: Bool = false
    ) {
        if let expected = expected?.form, let actual = actual?.form {
            compareForms(place, expected, actual)
        } else if let expected = expected?.data, let actual = actual?.data {
            if expected == actual { return }
            if isSecret {
                report(place, .masked, .masked)
            } else {
                compareData(place, expected, actual, essence: type?.essence ?? "")
            }
        } else {
            compareDescriptions(place, expected, actual, isSecret: isSecret)
        }
    }

    /// Compares bodies of which not all bytes are known, such as files and streams: by their descriptions, such as the
    /// path and the size of a file.
    private mutating func compareDescriptions(
        _ place: String, _ expected: RequestBody?, _ actual: RequestBody?, isSecret: Bool
    ) {
        guard expected != actual else { return }
        // Two bodies with the same file are not equal if the size is known for only one of them.
        if let file = expected?.file, file == actual?.file { return }
        let texts = Sides(expected, actual).map { body in
            body.map { isSecret ? Masking.mask : masked($0.description) }
        }
        var actualText = texts.actual
        if !isSecret, let text = texts.actual, text == texts.expected {
            // Two streams of the same length have the same description but can have different bytes.
            actualText = "another, \(text)"
        }
        report(place, texts.expected.map(ShownValue.plain), actualText.map(ShownValue.plain))
    }

    /// Compares bytes: by their values if the type says JSON and both are JSON; otherwise, if both are text, by the
    /// fields of a form if the type says so, or else by their lines; and anything else byte by byte.
    private mutating func compareData(_ place: String, _ expected: Data, _ actual: Data, essence: String) {
        let isJSON = essence == MIMEType.json.essence || essence.hasSuffix("+json")
        if isJSON, let expected = JSONValue(expected), let actual = JSONValue(actual) {
            compare(place, expected, actual)
        } else if let expected = expected.plainText, let actual = actual.plainText {
            if essence == MIMEType.formURLEncoded.essence {
                compareFields("\(place) field", expected.formFields, actual.formFields)
            } else {
                compareLines(place, expected, actual)
            }
        } else {
            compareBytes(place, expected, actual)
        }
    }

    /// Compares the parts of two forms one by one, if these have the same names in the same order.
    private mutating func compareForms(_ place: String, _ expected: MultipartForm, _ actual: MultipartForm) {
        let names = Sides(expected, actual).map { $0.parts.map(\.name).joined(separator: ", ") }
        guard names.expected == names.actual else {
            return compare("\(place) parts", .string(names.expected), .string(names.actual))
        }
        for (index, parts) in zip(expected.parts, actual.parts).enumerated() {
            let (expected, actual) = parts
            compareParts("\(place) part \(index + 1) (\(expected.name))", Sides(expected, actual))
        }
    }

    /// Compares the filename, the type and the body of two parts.
    private mutating func compareParts(_ place: String, _ parts: Sides<MultipartForm.Part>) {
        let filenames = parts.map { $0.filename.map(JSONValue.string) }
        compare("\(place) filename", filenames.expected, filenames.actual)
        let types = parts.map(\.body.contentType)
        let typeTexts = types.map { type in type.map { JSONValue.string($0.rawValue) } }
        compare("\(place) type", typeTexts.expected, typeTexts.actual)
        let commonType = types.expected == types.actual ? types.expected : nil
        compareBodies(
            place, parts.expected.body, parts.actual.body, type: commonType,
            isSecret: SecretNames.contains(parts.expected.name))
    }

    /// Reports the first line that differs once secrets are masked.
    private mutating func compareLines(_ place: String, _ expected: String, _ actual: String) {
        let lines = Sides(expected, actual).map { masked($0).lines }
        let common = zip(lines.expected, lines.actual).prefix { $0.utf8.elementsEqual($1.utf8) }.count
        var differing = lines.map { common < $0.count ? ShownValue.quoted(String($0[common])) : nil }
        if differing.expected == nil, differing.actual == nil {
            // All masked lines are equal, so the difference is in a secret.
            differing = Sides(.masked, .masked)
        }
        report("\(place) line \(common + 1)", differing.expected, differing.actual)
    }

    /// Reports the first byte that differs.
    private mutating func compareBytes(_ place: String, _ expected: Data, _ actual: Data) {
        let common = zip(expected, actual).prefix { $0 == $1 }.count
        let texts = Sides(expected, actual).map { bytes in
            var byte = "its end"
            if let value = bytes.dropFirst(common).first { byte = "0x\(String(value, radix: 16))" }
            return ShownValue.plain("\(bytes.count) bytes, \(byte) at \(common)")
        }
        report(place, texts.expected, texts.actual)
    }
}

extension Data {
    /// The bytes as text; nil if they are not UTF-8 or contain control characters, or if they are markup, in which the
    /// names of secrets are not recognized.
    fileprivate var plainText: String? {
        let isPlain = allSatisfy { $0 >= 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        guard isPlain, !Masking.hasHiddenNames(self) else { return nil }
        return String(data: self, encoding: .utf8)
    }
}

extension String {
    /// The lines, separated by LF.
    fileprivate var lines: [Substring] {
        utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Substring.init)
    }

    /// The fields of a query or form, still percent-encoded.
    var formFields: [JSONValue.Object.Member] {
        split(separator: "&", omittingEmptySubsequences: false).map { item in
            let name = item.prefix { $0 != "=" }
            let value = item.dropFirst(name.count + 1)
            return (String(name), .string(String(value)))
        }
    }
}
