/// A stage of a plan: the options of retries that most endpoints have. It is made from the contents of the endpoints.
///
/// The bases have these options, so that an endpoint states only what differs. An endpoint without a statement of its
/// own has them, too.
struct UsualRetries {
    /// The options of the bases. A value that most endpoints do not state is nil.
    let retries: Behavior.Retries

    /// Finds the usual options of some endpoints.
    init(_ contents: Contents) {
        let all = contents.endpoints.map(\.endpoint.behavior.retries)
        retries = Behavior.Retries(
            attempts: Self.mostFrequent(all.map(\.attempts)), statuses: Self.mostFrequent(all.map(\.statuses)))
    }

    /// What an endpoint states, since it differs from the usual options; empty if nothing does.
    func difference(of endpoint: Endpoint) -> Behavior.Retries {
        var own = endpoint.behavior.retries
        if own.attempts == retries.attempts { own.attempts = nil }
        if own.statuses == retries.statuses { own.statuses = nil }
        return own
    }

    /// The most frequent of some values if most of them are not nil. If several are equally frequent, the result does
    /// not depend on their order.
    private static func mostFrequent<Value: Hashable>(_ values: [Value?]) -> Value? {
        let stated = values.compactMap(\.self)
        let isUsuallyStated = stated.count * 2 > values.count
        guard isUsuallyStated else { return nil }
        var counts: [Value: Int] = [:]
        for value in stated { counts[value, default: 0] += 1 }
        let highest = counts.values.max()
        // The endpoints are sorted, so the first one with such a value does not depend on the description's order.
        return stated.first { counts[$0] == highest }
    }
}
