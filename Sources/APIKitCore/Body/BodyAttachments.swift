// What a response's body can have beside its bytes: a `FinishedAnswer`, its `KeptModels`, or a `ReadingContext`.

/// The result of a request that needs no mapping: the model, or the endpoint's ``APIError``. Only `StubClient` creates
/// it.
package final class FinishedAnswer: Sendable {
    package let result: Result<any Sendable, any Error>

    package init(_ result: Result<any Sendable, any Error>) {
        self.result = result
    }
}

/// The models that a body in a cache has been read as, so that none is read twice.
package final class KeptModels: Sendable {
    private let models = Locked<[ObjectIdentifier: any Sendable]>([:])

    package init() {}

    /// The model of a response type, read if it is not there yet.
    func model<Model: Sendable>(of type: any Any.Type, _ read: () throws -> Model) throws -> Model {
        let key = ObjectIdentifier(type)
        // In two steps: a missing value, cast to a model that is an optional, would be a model that is nil.
        if let kept = models.withLock({ $0[key] }), let model = kept as? Model { return model }
        let model = try read()
        models.withLock { $0[key] = model }
        return model
    }
}

/// What the reader of a stream knows of its endpoint, so that the loop fails as `send` does.
package final class ReadingContext: Sendable {
    /// The clock of the call.
    package let clock: any Clock<Duration>
    private let response: HTTPResponse
    private let rejection: @Sendable (HTTPResponse) async -> any Error
    private let failure: @Sendable (any Error, HTTPResponse) -> any Error

    package init<R: APIRequest>(of request: R, _ response: HTTPResponse, in call: Call) {
        var response = response
        response.body = response.body.withoutStream
        clock = call.clock
        self.response = response
        rejection = { response in
            APIError<R.Failure.Model>.rejected(try? await R.Failure.process(response: response), response)
        }
        failure = { error, response in
            switch error {
            case is APIError<R.Failure.Model>: error
            case is CancellationError: APIError<R.Failure.Model>.cancelled
            case let error as TransportError:
                APIError<R.Failure.Model>.transport(
                    error.withRequest(method: response.request?.method, url: response.head.url))
            default: APIError<R.Failure.Model>(thrownByReading: error, of: response)
            }
        }
    }

    /// The endpoint's error for a part of the body that is a failure.
    package func rejection(of data: Data) async -> any Error {
        var response = response
        response.body = ResponseBody(data)
        return await rejection(response)
    }

    /// The endpoint's error for one that reading has thrown.
    package func failure(_ error: any Error) -> any Error {
        failure(error, response)
    }
}
