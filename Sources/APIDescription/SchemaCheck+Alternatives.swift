import APIKitCore
import APIKitTesting

extension SchemaCheck {
    /// Checks a value against the alternatives of `oneOf` or `anyOf`. It has to fit at least one of them.
    ///
    /// With `oneOf`, JSON Schema allows it to fit only one. That is not checked: as some keywords are ignored, a value
    /// may seem to fit an alternative that it does not fit.
    ///
    /// - Parameters:
    ///   - alternatives: The schemas of the alternatives, at least one.
    ///   - discriminator: The OpenAPI object that says which member of a value names its alternative.
    ///   - subject: The value.
    /// - Returns: The outcomes of all alternatives that fit, since the value may have the members of several. If none
    ///   fits, the outcome of the nearest one, so that its problems explain what to change.
    mutating func outcomes(
        ofAlternatives alternatives: [Definition], discriminator: Definition?, for subject: Subject
    ) -> [Outcome] {
        var candidates = alternatives
        if let named = alternative(namedBy: discriminator, in: subject.value, among: alternatives) {
            candidates = [named]
        }
        var fitting: [Outcome] = []
        var failing: [Outcome] = []
        for candidate in candidates {
            let outcome = outcome(of: candidate, for: subject)
            if outcome.fits {
                fitting.append(outcome)
            } else {
                failing.append(outcome)
            }
        }
        if fitting.isEmpty { return [nearest(of: failing, to: subject.value)] }
        return fitting
    }

    /// The alternative that an object names in its discriminator member; nil if there is no discriminator or no such
    /// alternative.
    ///
    /// With the discriminator `{"propertyName": "kind"}`, the object `{"kind": "Cat"}` names the schema
    /// `#/components/schemas/Cat`, unless the discriminator's `mapping` names another schema for `Cat`: by a pointer,
    /// or by its name alone.
    private func alternative(
        namedBy discriminator: Definition?, in value: JSONValue, among alternatives: [Definition]
    ) -> Definition? {
        guard let discriminator, let property = discriminator["propertyName"]?.string else { return nil }
        guard let name = value[property]?.string else { return nil }
        let target = discriminator["mapping"]?[name]?.string ?? name
        // The slash keeps the name `Dog` from matching `HotDog`.
        let isPointer = target.contains("/")
        let pointerEnd = isPointer ? target : "/\(target)"
        return alternatives.first { $0.pointer.hasSuffix(pointerEnd) }
    }

    /// The outcome of the alternative that is nearest to a value, or the first of several that are equally near.
    ///
    /// - Parameters:
    ///   - outcomes: The outcomes of alternatives that do not fit, at least one.
    ///   - value: The value.
    /// - Returns: The nearest outcome.
    private func nearest(of outcomes: [Outcome], to value: JSONValue) -> Outcome {
        var nearest = outcomes[0]
        for outcome in outcomes.dropFirst() where isNearer(outcome, than: nearest, to: value) {
            nearest = outcome
        }
        return nearest
    }

    /// Whether an alternative that does not fit is nearer to a value than another one.
    private func isNearer(_ outcome: Outcome, than other: Outcome, to value: JSONValue) -> Bool {
        // An incomplete outcome is preferred to problems that may be wrong: that alternative may fit.
        if other.isIncomplete { return false }
        if outcome.isIncomplete { return true }
        guard outcome.problems.count == other.problems.count else {
            return outcome.problems.count < other.problems.count
        }
        // With equally many problems, the alternative that describes more of the value's members is nearer.
        let names = Set(value.names)
        let describedCount = UndescribedNames.described(by: outcome, among: outcomes).names.intersection(names).count
        let otherCount = UndescribedNames.described(by: other, among: outcomes).names.intersection(names).count
        return describedCount > otherCount
    }
}
