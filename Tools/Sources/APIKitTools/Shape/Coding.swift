/// A stage of a plan: the settings of the models' decoder. It is made from the uses of the models.
struct Coding {
    /// Whether all dates of the API are numbers of seconds.
    let datesAreNumbers: Bool
    /// Whether the decoder converts the names of models from snake case.
    let convertsNames: Bool

    /// Decides the settings.
    init(_ uses: ModelUses, _ options: Plan.Options) {
        datesAreNumbers = Self.shouldReadDatesAsNumbers(uses)
        // With the option `--codable`, all models need coding keys anyway: they are encoded by the user's own encoder,
        // which does not convert names.
        convertsNames = !options.isCodable && Self.shouldConvertNames(uses)
    }

    /// The arguments of the models' decoder; empty if they use the library's default decoder.
    var decoderArguments: [String] {
        var arguments: [String] = []
        if convertsNames { arguments.append("keys: .convertFromSnakeCase") }
        if datesAreNumbers { arguments.append("dates: .secondsSince1970") }
        return arguments
    }

    /// Whether a property needs a coding key with a text, as in `case htmlURL = "html_url"`: if its name differs from
    /// the name in JSON and the decoder does not convert one into the other. An encoder never converts names.
    func needsCodingKey(_ name: String, for wireName: String, _ uses: Uses) -> Bool {
        if name == wireName { return false }
        if !convertsNames || uses.contains(.encoded) { return true }
        return !SwiftName.isConverted(name, from: wireName)
    }

    /// Whether the decoder should convert names from snake case, so that `htmlURL` needs no coding key for `html_url`.
    ///
    /// It should if no object has two names that the conversion would make equal, and if the conversion saves coding
    /// keys for most names of several words.
    private static func shouldConvertNames(_ uses: ModelUses) -> Bool {
        let readModels = uses.types.filter { $0.value.uses.isRead }.keys
        let namesOfObjects = readModels.compactMap { uses.models[$0]?.object?.members.keys }
        for names in namesOfObjects {
            let convertedNames = Set(names.map(SwiftName.commonKey))
            let someBecomeEqual = convertedNames.count < names.count
            if someBecomeEqual { return false }
        }
        let longNames = namesOfObjects.joined().filter { Words($0).words.count > 1 }
        let snakeCasedCount = longNames.count { $0.contains("_") && !$0.contains(where: \.isUppercase) }
        let otherCount = longNames.count - snakeCasedCount
        // For one or two names, coding keys are simpler than a decoder with a setting.
        let areSeveral = snakeCasedCount > 2
        let areMost = snakeCasedCount > otherCount
        return areSeveral && areMost
    }

    /// Whether the decoder should read dates as numbers of seconds: if all dates of the API are such numbers, and none
    /// of them is in a body, since the encoder of bodies writes dates as texts.
    private static func shouldReadDatesAsNumbers(_ uses: ModelUses) -> Bool {
        let parameters = uses.endpoints.flatMap(\.endpoint.parameters).map(\.schema.core.kind)
        let kinds = parameters + memberKinds(uses, of: [.decoded, .encoded, .parameter])
        let areAllNumbers = kinds.contains(.unixTime) && !kinds.contains(.date)
        let areInBodies = memberKinds(uses, of: .encoded).contains(.unixTime)
        return areAllNumbers && !areInBodies
    }

    /// The kinds of the members and variants of all models that have at least one of some uses.
    private static func memberKinds(_ uses: ModelUses, of wanted: Uses) -> [Schema.Kind] {
        let used = uses.types.filter { !$0.value.uses.isDisjoint(with: wanted) }.keys
        let schemas = used.flatMap { uses.models[$0]?.schemas ?? [] }
        return schemas.map(\.schema.core.kind)
    }
}
