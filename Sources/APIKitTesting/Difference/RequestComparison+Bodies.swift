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
        guard let expected, let actual else {
            let texts = [expected, actual].map { $0.map { isSecret ? Masking.mask : masked($0.description) } }
            return texts[0] == nil && texts[1] == nil ? () : report(place, texts[0], texts[1])
        }
        if let expected = expected.form, let actual = actual.form { return compareForms(place, expected, actual) }
        if let expected = expected.data, let actual = actual.data {
            return compare(place, expected, actual, type: type, isSecret: isSecret)
        }
        // Equal files differ as bodies if the size of only one of them is known.
        guard expected != actual, expected.file == nil || expected.file != actual.file else { return }
        let texts = [expected, actual].map { isSecret ? Masking.mask : masked($0.description) }
        // Of two streams only the lengths are known.
        let isSame = texts[0] == texts[1] && !isSecret
        report(place, texts[0], isSame ? "another, \(texts[1])" : texts[1], isSecret: isSecret)
    }

    private mutating func compare(_ place: String, _ expected: Data, _ actual: Data, type: MIMEType?, isSecret: Bool) {
        guard expected != actual else { return }
        guard !isSecret else { return report(place, Masking.mask, Masking.mask, isSecret: true) }
        let essence = type?.essence ?? ""
        if essence == MIMEType.json.essence || essence.hasSuffix("+json"),
            let expected = JSONValue(expected), let actual = JSONValue(actual)
        {
            return compare(place, path: "", expected, actual, isSecret: false)
        }
        guard let left = expected.plainText, let right = actual.plainText, !Masking.isMarkup(expected),
            !Masking.isMarkup(actual)
        else {
            return compareBytes(place, expected, actual)
        }
        guard essence == MIMEType.formURLEncoded.essence else { return compareLines(place, left, right) }
        compareFields("\(place) field", left.fields, right.fields, isOrdered: true)
    }

    // MARK: - JSON

    private mutating func compare(
        _ place: String, path: String, _ expected: JSONValue?, _ actual: JSONValue?, isSecret: Bool
    ) {
        switch (expected, actual) {
        case (.object(let left)?, .object(let right)?):
            compareMembers(place, path: path, left, right, isSecret: isSecret)
        case (.list(let left)?, .list(let right)?):
            for index in 0..<max(left.count, right.count) {
                compare(
                    place, path: "\(path)[\(index)]", index < left.count ? left[index] : nil,
                    index < right.count ? right[index] : nil, isSecret: isSecret)
            }
        case (let expected?, let actual?) where expected.isSameScalar(as: actual): break
        default:
            let place = path.isEmpty ? place : "\(place) \(path)"
            reportValues(place, expected.map { shown($0, isSecret) }, actual.map { shown($0, isSecret) })
        }
    }

    private mutating func compareMembers(
        _ place: String, path: String, _ expected: [JSONValue.Member], _ actual: [JSONValue.Member], isSecret: Bool
    ) {
        let nameSecret = Self.nameSecret(
            (expected + actual).compactMap { name, value in value.string.map { (name, $0) } })
        let members = [expected, actual].map { Dictionary($0.map { (Array($0.name.utf8), $0.value) }) { $1 } }
        for key in Set(members.flatMap(\.keys)).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            let name = String(decoding: key, as: UTF8.self)
            let values = members.map { $0[key] }
            let isSecret =
                isSecret || SecretNames.contains(name) || nameSecret && name.lowercased() == "value"
                || values.contains { self.isSecret($0, named: name) }
            compare(
                place, path: path + Self.member(name, isFirst: path.isEmpty), values[0], values[1], isSecret: isSecret)
        }
    }

    private func isSecret(_ value: JSONValue?, named name: String) -> Bool {
        switch value {
        case .string?, .literal?: isSecret(value?.text ?? "", after: "\(JSONValue.string(name).text): ")
        default: false
        }
    }

    private func shown(_ value: JSONValue, _ isSecret: Bool) -> Shown {
        if let text = value.string { return shown(text, isSecret: isSecret) }
        return (isSecret ? Masking.mask : masked(value.text), false)
    }

    /// A step to a member: `.name`, or `["a b"]`.
    private static func member(_ name: String, isFirst: Bool) -> String {
        let isPlain = !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
        return isPlain ? "\(isFirst ? "" : ".")\(name)" : "[\(name.debugDescription)]"
    }

    // MARK: - Forms, text and bytes

    private mutating func compareForms(_ place: String, _ expected: MultipartForm, _ actual: MultipartForm) {
        let names = [expected, actual].map { $0.parts.map(\.name).joined(separator: ", ") }
        guard names[0] == names[1] else { return compare("\(place) parts", names[0], names[1]) }
        for (index, (left, right)) in zip(expected.parts, actual.parts).enumerated() {
            let part = "\(place) part \(index + 1) (\(left.name))"
            compare("\(part) filename", left.filename, right.filename)
            compare("\(part) type", left.body.contentType?.rawValue, right.body.contentType?.rawValue)
            let type = left.body.contentType == right.body.contentType ? left.body.contentType : nil
            compareBodies(part, left.body, right.body, type: type, isSecret: SecretNames.contains(left.name))
        }
    }

    /// Reports the first line that differs once secrets are masked.
    private mutating func compareLines(_ place: String, _ expected: String, _ actual: String) {
        let (left, right) = (masked(expected).lines, masked(actual).lines)
        let same = zip(left, right).prefix { $0.utf8.elementsEqual($1.utf8) }.count
        let lines = [left, right].map { same < $0.count ? $0[same] : nil }
        let place = "\(place) line \(same + 1)"
        guard lines.contains(where: { $0 != nil }) else {
            return report(place, Masking.mask, Masking.mask, isSecret: true)
        }
        reportValues(place, lines[0].map { (String($0), true) }, lines[1].map { (String($0), true) })
    }

    /// Reports the first byte that differs.
    private mutating func compareBytes(_ place: String, _ expected: Data, _ actual: Data) {
        let same =
            zip(expected, actual).enumerated().first { $1.0 != $1.1 }?.offset ?? min(expected.count, actual.count)
        let texts = [expected, actual].map { bytes in
            let byte =
                bytes.dropFirst(same).first.map { "0x\(String($0, radix: 16)) at \(same)" } ?? "its end at \(same)"
            return "\(bytes.count) bytes, \(byte)"
        }
        report(place, texts[0], texts[1])
    }
}

extension Data {
    /// The bytes as text; nil if they are not UTF-8, or hold control characters.
    fileprivate var plainText: String? {
        let isPlain = allSatisfy { $0 >= 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        return isPlain ? String(data: self, encoding: .utf8) : nil
    }
}

extension String {
    /// The lines, as LF ends them.
    fileprivate var lines: [Substring] {
        utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Substring.init)
    }
}
