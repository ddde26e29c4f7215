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
        report(place, texts[0], texts[0] == texts[1] && !isSecret ? "another, \(texts[1])" : texts[1])
    }

    private mutating func compare(_ place: String, _ expected: Data, _ actual: Data, type: MIMEType?, isSecret: Bool) {
        guard expected != actual else { return }
        guard !isSecret else { return report(place, Masking.mask, Masking.mask) }
        let essence = type?.essence ?? ""
        if essence == MIMEType.json.essence || essence.hasSuffix("+json"),
            let expected = JSONTree(expected), let actual = JSONTree(actual)
        {
            return compare(place, path: "", expected, actual, isSecret: false)
        }
        guard let left = expected.plainText, let right = actual.plainText else {
            return compareBytes(place, expected, actual)
        }
        guard essence == MIMEType.formURLEncoded.essence else { return compareLines(place, left, right) }
        compareFields("\(place) field", left.fields, right.fields, isOrdered: true)
    }

    // MARK: - JSON

    private mutating func compare(
        _ place: String, path: String, _ expected: JSONTree?, _ actual: JSONTree?, isSecret: Bool
    ) {
        switch (expected, actual) {
        case (.object(let left)?, .object(let right)?):
            for name in Set(left.keys).union(right.keys).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
                let text = String(decoding: name, as: UTF8.self)
                compare(
                    place, path: path + Self.member(text, isFirst: path.isEmpty), left[name], right[name],
                    isSecret: isSecret || SecretNames.contains(text))
            }
        case (.array(let left)?, .array(let right)?):
            for index in 0..<max(left.count, right.count) {
                compare(
                    place, path: "\(path)[\(index)]", index < left.count ? left[index] : nil,
                    index < right.count ? right[index] : nil, isSecret: isSecret)
            }
        default:
            guard !Self.isSame(expected?.description, actual?.description) else { return }
            let place = path.isEmpty ? place : "\(place) \(path)"
            report(place, expected.map { shown($0, isSecret) }, actual.map { shown($0, isSecret) })
        }
    }

    private func shown(_ value: JSONTree, _ isSecret: Bool) -> String {
        if case .string(let text) = value { return shown(text, isSecret: isSecret) }
        return isSecret ? Masking.mask : masked(value.description).shortened
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

    /// Reports the first line that differs once secrets are masked, from a little before the difference.
    private mutating func compareLines(_ place: String, _ expected: String, _ actual: String) {
        let (left, right) = (masked(expected).lines, masked(actual).lines)
        let same = zip(left, right).prefix { $0.utf8.elementsEqual($1.utf8) }.count
        let lines = [left, right].map { same < $0.count ? $0[same] : nil }
        let start = zip(lines[0] ?? "", lines[1] ?? "").prefix { $0 == $1 }.count - 40
        let texts = lines.map { line in
            line.map { (start > 0 ? "…\($0.dropFirst(start))" : String($0)).shortened.debugDescription }
        }
        let isMasked = texts[0] == nil && texts[1] == nil
        report("\(place) line \(same + 1)", isMasked ? Masking.mask : texts[0], isMasked ? Masking.mask : texts[1])
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
