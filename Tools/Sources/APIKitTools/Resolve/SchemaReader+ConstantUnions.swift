extension SchemaReader {
    /// The texts of a union whose variants are all texts, such as an enum with a title and a description for each
    /// value; nil for other unions.
    ///
    /// A variant for any text is left out, since an enum of texts always accepts unknown ones.
    func texts(of union: Union) -> [Text]? {
        let names = namesOfConstants(in: union)
        var texts: [Text] = []
        for (variant, name) in zip(union.variants, names) {
            switch variant.schema.kind {
            case .constant(let value):
                texts.append(Text(value: value, name: name, documentation: variant.schema.documentation))
            case .string:
                // A variant for any text needs no constant.
                continue
            case .model(let id):
                guard case .texts(let values)? = models[id]?.kind else { return nil }
                texts += values
            default: return nil
            }
        }
        if texts.isEmpty { return nil }
        // An empty text, which stands for a missing one, cannot be the name of a constant.
        return texts.filter { !$0.value.isEmpty }
    }

    /// The numbers of a union whose variants are all numbers, some of which are enums or constants; nil for other
    /// unions. A variant for any number is left out, since an enum of numbers always accepts unknown ones.
    func numbers(of union: Union) -> EnumOfNumbers? {
        let names = namesOfConstants(in: union)
        var values: [Text] = []
        var kinds: [Schema.Kind] = []
        for (variant, name) in zip(union.variants, names) {
            let kind = variant.schema.kind.unlimited(in: models)
            guard kind.isNumber, kind != .unixTime else { return nil }
            kinds.append(kind)
            switch variant.schema.kind {
            case .fixed(let literal, _):
                values.append(Text(value: literal, name: name, documentation: variant.schema.documentation))
            case .model(let id):
                if case .numbers(let inner, _)? = models[id]?.kind { values += inner }
            default:
                continue
            }
        }
        if values.isEmpty { return nil }
        return EnumOfNumbers(values: values, kind: .commonNumber(of: kinds))
    }

    /// The names of a union's constants: their titles, if these differ. Some tools give all the same title.
    private func namesOfConstants(in union: Union) -> [String?] {
        let titles = union.variants.compactMap(\.name)
        let areDifferent = Set(titles).count == titles.count
        return union.variants.map { areDifferent ? $0.name : nil }
    }
}
