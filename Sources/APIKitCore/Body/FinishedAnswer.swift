/// The result of a request that needs no mapping: the model, or the endpoint's ``APIError``. Only ``StubClient``
/// creates it.
struct FinishedAnswer: Sendable {
    let result: Result<any Sendable, any Error>
}
