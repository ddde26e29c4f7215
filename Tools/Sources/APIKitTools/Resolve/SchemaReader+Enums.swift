import OpenAPIRules

/// The numbers of an enum.
struct EnumOfNumbers {
    /// The numbers, as Swift literals.
    var values: [Text] = []
    /// The kind of the numbers: whole numbers of some type, or any numbers.
    var kind: Schema.Kind
}

extension SchemaReader {
    /// The maximum number of values of an enum. Nobody can use a type with more constants.
    static let maximumValues = 10_000

    /// Decides the kind of a schema with `enum` or `const`. Nil if it has neither, has a list or an object among its
    /// values, or has too many values, which a note says.
    ///
    /// Without a `type`, the values decide. If they have several types, such as texts and numbers, the kind is a union.
    func enumeration(_ element: Element, type: String?) throws -> Schema.Kind? {
        var values = try element.list("enum")
        if values == nil, let constant = element.child("const") { values = [constant] }
        guard let values else { return nil }
        guard values.count <= Self.maximumValues else {
            note(.simplified, "an enum of \(values.count) values is not generated", at: element.place)
            return nil
        }
        let names = EnumNames(element)
        if type == nil, let union = kindOfSeveralTypes(values, for: element) { return union }
        switch type ?? impliedType(of: values) {
        case "string":
            guard let texts = textsOfEnum(values, names: names, hasType: type != nil) else { return nil }
            return kind(ofTexts: texts, for: element)
        case "integer":
            return try kindOfNumbers(values, names, plain("integer", element), for: element)
        case "number":
            return try kindOfNumbers(values, names, plain("number", element), for: element)
        case "boolean":
            return kindOfBooleans(values)
        default:
            return nil
        }
    }

    /// The union of the types of an enum whose values have several types: any text, any number and any Boolean. Nil if
    /// all have one type, or if one of them is a list or an object.
    private func kindOfSeveralTypes(_ values: [Element], for element: Element) -> Schema.Kind? {
        var kinds: [Schema.Kind] = []
        for value in values where !value.isNull {
            let kind: Schema.Kind
            switch value.node.content {
            case .text: kind = .string
            case .number: kind = value.kindOfNumber
            case .boolean: kind = .boolean
            default: return nil
            }
            if !kinds.contains(kind) { kinds.append(kind) }
        }
        let variants = kinds.map { Union.Variant(schema: Schema($0, place: element.place)) }
        let simplified = Union(variants: variants).simplifiedVariants(in: models)
        return simplified.count > 1 ? addModel(.union(Union(variants: simplified)), describedBy: element) : nil
    }

    /// The type of an enum that does not name one: `string` if all values are texts, and otherwise the type of the
    /// first other value. For `[null, 1, 2]`, it is `integer`. Nil if that value is a list or an object.
    private func impliedType(of values: [Element]) -> String? {
        let others = values.filter { !$0.isNull && !$0.isText }
        guard let first = others.first else { return "string" }
        switch first.node.content {
        case .number:
            let areWhole = others.allSatisfy { $0.numberLiteral(isWhole: true) != nil }
            return areWhole ? "integer" : "number"
        case .boolean: return "boolean"
        default: return nil
        }
    }

    // MARK: - Texts

    /// Reads the texts of an enum, without null.
    ///
    /// If the type is `string`, a number or a Boolean is taken for a text, since authors of YAML forget the quotes.
    ///
    /// - Parameters:
    ///   - values: The values of the enum.
    ///   - names: The names and the descriptions of the values.
    ///   - hasType: Whether the schema has the type `string`.
    /// - Returns: The texts; nil if a value is not a text.
    private func textsOfEnum(_ values: [Element], names: EnumNames, hasType: Bool) -> [Text]? {
        var texts: [Text] = []
        for (index, value) in values.enumerated() where !value.isNull {
            switch value.node.content {
            case .text(let text): texts.append(names.text(text, at: index))
            case .number(let digits) where hasType: texts.append(names.text(digits, at: index))
            // `true` and `false` are good names themselves.
            case .boolean(let flag) where hasType: texts.append(Text(value: "\(flag)"))
            default: return nil
            }
        }
        return texts
    }

    /// Decides the kind for the texts of an enum: a model, or a constant if it is a single text and the description
    /// gives the enum no name. Equal texts count once.
    func kind(ofTexts texts: [Text], for element: Element) -> Schema.Kind {
        let differentTexts = Self.withoutEqualValues(texts)
        guard let first = differentTexts.first else { return .any }
        if differentTexts.count == 1, element.componentName == nil { return .constant(first.value) }
        return addModel(.texts(differentTexts), describedBy: element)
    }

    /// The first of each group of texts with the same value.
    private static func withoutEqualValues(_ texts: [Text]) -> [Text] {
        var known: Set<String> = []
        var different: [Text] = []
        for text in texts {
            let isNew = known.insert(text.value).inserted
            if isNew { different.append(text) }
        }
        return different
    }

    // MARK: - Numbers and Booleans

    /// Decides the kind of an enum of numbers: a model, or a single number. If one of the values is not such a number,
    /// the result is the kind of the type, as if there were no enum.
    ///
    /// - Parameters:
    ///   - values: The values of the enum.
    ///   - names: The names and the descriptions of the values.
    ///   - kind: The kind of the type, without the limit to these values.
    ///   - element: The schema.
    /// - Returns: The kind.
    private func kindOfNumbers(
        _ values: [Element], _ names: EnumNames, _ kind: Schema.Kind, for element: Element
    ) -> Schema.Kind {
        var isWhole = false
        switch kind {
        case .integer: isWhole = true
        case .number: break
        // Such as a moment in seconds.
        default: return kind
        }
        var numbers = EnumOfNumbers(kind: kind)
        for (index, value) in values.enumerated() where !value.isNull {
            guard let literal = value.numberLiteral(isWhole: isWhole) else { return kind }
            numbers.values.append(names.text(literal, at: index))
        }
        return self.kind(of: numbers, for: element)
    }

    /// Decides the kind for the numbers of an enum: a model, or a single number if the description gives the enum no
    /// name. Equal numbers count once.
    func kind(of numbers: EnumOfNumbers, for element: Element) -> Schema.Kind {
        var different = Self.withoutEqualValues(numbers.values)
        let kind = Self.kind(numbers.kind, with: different)
        if kind == .number { different = Self.withoutEqualValues(different.map(Self.asDouble)) }
        guard let first = different.first else { return numbers.kind }
        if different.count == 1, element.componentName == nil { return .fixed(first.value, kind) }
        return addModel(.numbers(different, kind), describedBy: element)
    }

    /// A number with a literal that a `Double` represents exactly, as the compiler requires. It is the nearest one for
    /// whole numbers with more than 53 bits.
    private static func asDouble(_ number: Text) -> Text {
        guard let value = Double(number.value) else { return number }
        var text = number
        text.value = Int64(exactly: value).map(String.init) ?? value.description
        return text
    }

    /// The kind of an enum's numbers: the given one, or if its Swift type cannot hold all of them, one with more bits.
    /// For the whole numbers `1` and `5000000000`, the kind of `Int`, which may have 32 bits, becomes that of `Int64`.
    private static func kind(_ kind: Schema.Kind, with numbers: [Text]) -> Schema.Kind {
        guard case .integer(let type) = kind else { return kind }
        let fit = numbers.allSatisfy { number in
            switch type {
            case .int: Int32(number.value) != nil
            case .int64: Int64(number.value) != nil
            case .uint32: UInt32(number.value) != nil
            case .uint64: UInt64(number.value) != nil
            }
        }
        if fit { return kind }
        let fitInInt64 = numbers.allSatisfy { Int64($0.value) != nil }
        if fitInInt64 { return .integer(.int64) }
        let fitInUInt64 = numbers.allSatisfy { UInt64($0.value) != nil }
        return fitInUInt64 ? .integer(.uint64) : .number
    }

    /// The kind of an enum of Booleans, which has a single value or both.
    private func kindOfBooleans(_ values: [Element]) -> Schema.Kind {
        var flags: Set<Bool> = []
        for value in values {
            if case .boolean(let flag) = value.node.content { flags.insert(flag) }
        }
        guard flags.count == 1, let flag = flags.first else { return .boolean }
        return .fixed("\(flag)", .boolean)
    }

    /// Simplifies the kind of a parameter for the number of items on a page. A `UInt32` becomes an `Int`, since a page
    /// size never needs 32 bits. An enum of numbers without names, such as 10 and 50, becomes any number, since `10` in
    /// code says more than the name of a constant.
    func kindOfPageSize(_ kind: Schema.Kind) -> Schema.Kind {
        if kind == .integer(.uint32) { return .integer(.int) }
        guard case .numbers(let values, let kindOfNumbers)? = model(kind)?.kind else { return kind }
        let haveNames = values.contains { $0.name != nil }
        return haveNames ? kind : kindOfNumbers
    }
}

extension Element {
    /// Whether the value is a text.
    fileprivate var isText: Bool {
        if case .text = node.content { true } else { false }
    }

    /// The kind of numbers to which a number belongs. An `Int` may have 32 bits.
    fileprivate var kindOfNumber: Schema.Kind {
        guard let literal = numberLiteral(isWhole: true) else { return .number }
        if Int32(literal) != nil { return .integer(.int) }
        return Int64(literal) == nil ? .integer(.uint64) : .integer(.int64)
    }

    /// The Swift literal for a number; nil for other values. YAML has notations that Swift does not have, so the
    /// literal is written anew.
    ///
    /// - Parameter isWhole: Whether it has to be a whole number. `1.0` is one too.
    /// - Returns: The literal.
    fileprivate func numberLiteral(isWhole: Bool) -> String? {
        guard case .number(let text) = node.content else { return nil }
        if let number = Int64(text) { return String(number) }
        if let number = UInt64(text) { return String(number) }
        // The compiler warns of the smallest numbers, which have fewer digits than others.
        guard let number = Double(text), number.isFinite, !number.isSubnormal else { return nil }
        if let whole = Int64(exactly: number) { return String(whole) }
        return isWhole ? nil : number.description
    }
}
