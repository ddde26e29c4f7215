extension TypeWriter {
    /// A known text or number, and its name in Swift.
    private struct NamedText {
        /// The name as code, which may be in backticks.
        let name: String
        /// The text in JSON, or the number as a literal.
        let value: String
        /// The code for the value.
        let literal: String
        let comment: [String]
    }

    /// The kind of the numbers of an enum; nil for an enum of texts.
    private var kindOfNumbers: Schema.Kind? {
        if case .numbers(_, let kind) = model.kind { kind } else { nil }
    }

    /// The type of the raw values: `String` for texts, and `Int` for most numbers.
    private var rawType: String {
        guard let kindOfNumbers else { return "String" }
        return plan.typeName(Schema(kindOfNumbers, place: model.place))
    }

    /// Writes a struct with a constant for each known text or number. It is open: a server may send values that are not
    /// known yet, which an enum could not read.
    ///
    ///     struct State: RawRepresentable, Hashable, Decodable {
    ///         let rawValue: String
    ///
    ///         static let available = Self(rawValue: "available")
    ///         static let soldOut = Self(rawValue: "sold_out")
    ///     }
    func openStruct(of texts: [Text]) -> [String] {
        // If the main actor is the default isolation of the module, a type that is not nested would be isolated to it.
        // Other models are not, since they conform to a nonisolated protocol of the library.
        let isolation = type.isNested ? "" : "nonisolated "
        let conformances = conformances(after: ["RawRepresentable", "Hashable"])
        var lines = ["\(access)\(isolation)struct \(type.name): \(conformances) {"]
        lines.append("    \(access)let rawValue: \(rawType)")
        if isPublic {
            lines += ["", "    public init(rawValue: \(rawType)) { self.rawValue = rawValue }"]
        }
        lines.append("")
        for text in named(texts) {
            let value = "Self(rawValue: \(text.literal))"
            let declaration = "\(access)static let \(text.name) = \(value)"
            lines += Lines.indented(text.comment + [declaration])
        }
        return lines + ["}"]
    }

    /// Writes an enum of texts or numbers that are only sent, so that no unknown ones can appear. If it has no comments
    /// and fits, it is in one line:
    ///
    ///     enum Sort: String, ParameterValue { case created, updatedAt = "updated_at" }
    ///
    /// With a comment, each case has a line of its own:
    ///
    ///     enum Sort: String, ParameterValue {
    ///         /// By price, the lowest first.
    ///         case price
    ///         case updatedAt = "updated_at"
    ///     }
    ///
    /// Otherwise, each line within the braces has as many cases as fit.
    func closedEnum(of texts: [Text], depth: Int) -> [String] {
        let namedTexts = named(texts)
        let head = "\(access)enum \(type.name): \(conformances(after: [rawType]))"
        let hasComments = namedTexts.contains { !$0.comment.isEmpty }
        if hasComments {
            let lines = namedTexts.flatMap { $0.comment + ["case \(Self.enumCase(for: $0))"] }
            return ["\(head) {"] + Lines.indented(lines) + ["}"]
        }
        let cases = namedTexts.map { Self.enumCase(for: $0) }
        let line = "\(head) { case \(cases.joined(separator: ", ")) }"
        if !cases.isEmpty, Lines.fits(line, depth) { return [line] }
        return ["\(head) {"] + Lines.indented(Lines.cases(cases, depth: depth + 1)) + ["}"]
    }

    /// The case of an enum for a text, without `case`: `updatedAt = "updated_at"`, or `created` if the text is the
    /// name.
    private static func enumCase(for text: NamedText) -> String {
        // The raw value of a case in backticks is the name without them.
        let nameWithoutBackticks = text.name.filter { $0 != "`" }
        if nameWithoutBackticks == text.value { return text.name }
        return "\(text.name) = \(text.literal)"
    }

    // MARK: - Names

    /// The names of the known values of an enum of texts or numbers, as code; empty for other types.
    var namesOfValues: [String] {
        switch model.kind {
        case .texts(let texts), .numbers(let texts, _): named(texts).map(\.name)
        case .object, .union: []
        }
    }

    /// Chooses a name for each text that no other text of the type has, and writes its comment.
    ///
    /// The name is the one that the source gives to the text, or else the text itself: `soldOut` for "sold_out". Words
    /// that all texts begin with are left out: `failed` for "JOB_STATUS_FAILED". A number without a name is `value1` or
    /// `minus1`. Beside a key for sorting, the one with a minus is for the opposite direction: `createdAtDescending`
    /// for "-created_at".
    private func named(_ texts: [Text]) -> [NamedText] {
        let owner = Words(type.name)
        let isOfNumbers = kindOfNumbers != nil
        let commonWordCount = isOfNumbers ? 0 : Self.commonWordCount(of: texts)
        let areSortKeys = Self.areSortKeys(texts)
        var takenNames: Set<String> = []
        return texts.map { text in
            let ownName = ownName(of: text, withoutWords: commonWordCount)
            let isDescending = areSortKeys && text.value.hasPrefix("-")
            let nameOfKey = isDescending ? Self.nameOfDescendingKey(text.value, without: commonWordCount) : ownName
            let wantedName = text.name ?? nameOfKey
            let name = plan.freeName(wantedName, in: &takenNames, of: owner, reserved: Self.membersOfProtocols)
            // A comment that only repeats the type's name or the text is left out.
            let comment = Documentation.summary(text.documentation, names: [type.name, text.value])
            return NamedText(
                name: SwiftName.code(name), value: text.value,
                literal: isOfNumbers ? Lines.number(text.value) : Lines.literal(text.value), comment: comment)
        }
    }

    /// The members of `Hashable` and `Encodable`. A text of such a name would declare a second member of that name.
    private static let membersOfProtocols: Set<String> = ["hashValue", "hash", "encode"]

    /// The name of a value to which the source gives none.
    private func ownName(of text: Text, withoutWords count: Int) -> String {
        kindOfNumbers == nil ? Self.name(of: text, withoutWords: count) : Self.name(ofNumber: text.value)
    }

    /// Whether texts are keys for sorting, as in JSON:API: at least one of them is also there with a minus before it.
    private static func areSortKeys(_ texts: [Text]) -> Bool {
        let values = Set(texts.map(\.value))
        return values.contains { value in
            let isKey = value.contains(where: \.isLetter)
            return isKey && values.contains("-\(value)")
        }
    }

    /// The name of a key for sorting in descending order: `created_at_descending` for "-created_at".
    private static func nameOfDescendingKey(_ text: String, without count: Int) -> String {
        let words = Words(text).words.dropFirst(count)
        return (words + ["descending"]).joined(separator: "_")
    }

    /// The name of a number: `value1` for 1, `minus1` for -1, and `value0Point5` for 0.5.
    private static func name(ofNumber number: String) -> String {
        let digits = number.replacing(".", with: " point ")
        return digits.hasPrefix("-") ? "minus \(digits.dropFirst())" : "value \(digits)"
    }

    /// The name of a text without some words at its beginning: `failed` for "STATUS_FAILED" without one word.
    private static func name(of text: Text, withoutWords count: Int) -> String {
        if count == 0 { return text.value }
        return Words(text.value).words.dropFirst(count).joined(separator: "_")
    }

    /// The number of words that are left out at the beginning of all names, since all texts begin with them: two for
    /// `EVALUATION_STATUS_FAILED` and `EVALUATION_STATUS_DONE`. Only constants, which are in capitals, are shortened.
    private static func commonWordCount(of texts: [Text]) -> Int {
        let areConstants = texts.allSatisfy { $0.name == nil && $0.value == $0.value.uppercased() }
        guard areConstants, texts.count > 1 else { return 0 }
        let constants = texts.map { Words($0.value).words }
        let count = commonFirstWords(of: constants).count
        // A single common word often belongs to the meaning: `NOT` in `NOT_FOUND` and `NOT_READY`.
        guard count > 1 else { return 0 }
        // The rest of each constant has to be an identifier, which cannot begin with a digit. There is always a rest:
        // `commonFirstWords` leaves at least one word.
        let canBeShortened = constants.allSatisfy { words in words[count].first?.isLetter == true }
        return canBeShortened ? count : 0
    }

    /// The words that all constants begin with. At least one more word follows them in each constant, so that no name
    /// becomes empty: `job` and `status` for `JOB_STATUS_DONE` and `JOB_STATUS_FAILED`.
    private static func commonFirstWords(of constants: [[String]]) -> [String] {
        var common = constants.first ?? []
        for words in constants {
            // The first constant is compared with itself, which removes its last word.
            let wordsBeforeLast = words.dropLast()
            let sameWords = zip(common, wordsBeforeLast).prefix { $0 == $1 }
            common = sameWords.map(\.0)
        }
        return common
    }
}
