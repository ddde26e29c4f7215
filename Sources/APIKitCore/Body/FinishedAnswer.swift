/// The result of a request that needs no mapping: the model, or the endpoint's ``APIError``. Only `StubClient`
/// creates it.
package struct FinishedAnswer: Sendable {
    package let result: Result<any Sendable, any Error>

    package init(result: Result<any Sendable, any Error>) {
        self.result = result
    }
}
