/// What a `StubClient` answers instead of bytes: the endpoint's model, or its ``APIError``. It needs no mapping.
package final class TypedAnswer: Sendable {
    let result: Result<any Sendable, any Error>

    package init(_ result: Result<any Sendable, any Error>) {
        self.result = result
    }
}

extension TypedAnswer: Equatable {
    /// Whether two values are the same answer, since a model need not be Equatable.
    package static func == (left: TypedAnswer, right: TypedAnswer) -> Bool { left === right }
}
