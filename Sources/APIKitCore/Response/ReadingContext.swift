import APIKitSupport

/// The endpoint and the response of a stream, so that a loop over the stream throws the same errors as `send`.
package final class ReadingContext: Sendable {
    /// The clock of the call.
    package let clock: any Clock<Duration>
    /// The response that is read; nil before the first connection.
    private let response: Locked<HTTPResponse?>
    /// Returns the endpoint's error for a response that is a failure.
    private let rejection: @Sendable (HTTPResponse) async -> any Error
    /// Returns the endpoint's error for an error that reading the response has thrown.
    private let failure: @Sendable (any Error, HTTPResponse?) -> any Error

    /// Creates the context of a stream. The closures know the endpoint's failure type, which this type does not.
    ///
    /// - Parameters:
    ///   - request: The endpoint.
    ///   - response: The response; nil before the first connection.
    ///   - call: The call.
    package init<R: APIRequest>(of request: R, _ response: HTTPResponse?, in call: Call) {
        clock = call.clock
        self.response = Locked(response?.withoutStream)
        rejection = { response in
            APIError<R.Failure.Model>.rejected(try? await R.Failure.process(response: response), response)
        }
        failure = { error, response in
            switch error {
            case is APIError<R.Failure.Model>:
                return error
            case is CancellationError:
                return APIError<R.Failure.Model>.cancelled
            case let error as TransportError:
                let method = response?.request?.method
                return APIError<R.Failure.Model>.transport(error.withRequest(method: method, url: response?.head.url))
            default:
                guard let response else { return APIError<R.Failure.Model>(thrownBy: error) }
                return APIError<R.Failure.Model>(thrownByReading: error, of: response)
            }
        }
    }

    /// Continues with the response of another connection.
    package func connect(_ response: HTTPResponse) {
        let response = response.withoutStream
        self.response.withLock { $0 = response }
    }

    /// The endpoint's error for a part of the body that is a failure; nil before the first connection.
    package func rejection(of data: Data) async -> (any Error)? {
        guard var response = response.withLock({ $0 }) else { return nil }
        response.body = ResponseBody(data)
        return await rejection(response)
    }

    /// The endpoint's error for an error that reading the stream has thrown.
    package func failure(_ error: any Error) -> any Error {
        failure(error, response.withLock { $0 })
    }
}
