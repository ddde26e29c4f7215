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

    /// Creates the context of a stream.
    ///
    /// - Parameters:
    ///   - response: The response; nil before the first connection.
    ///   - clock: The clock of the call.
    ///   - rejection: Returns the endpoint's error for a response that is a failure.
    ///   - failure: Returns the endpoint's error for an error that reading the response has thrown.
    init(
        _ response: HTTPResponse?, clock: any Clock<Duration>,
        rejection: @escaping @Sendable (HTTPResponse) async -> any Error,
        failure: @escaping @Sendable (any Error, HTTPResponse?) -> any Error
    ) {
        self.clock = clock
        self.response = Locked(response?.withoutStream)
        self.rejection = rejection
        self.failure = failure
    }

    /// Continues with the response of another connection.
    package func connect(_ response: HTTPResponse) {
        let response = response.withoutStream
        self.response.withLock { $0 = response }
    }

    /// Returns the endpoint's error for a part of the body that is a failure; nil before the first connection.
    package func rejection(of data: Data) async -> (any Error)? {
        guard var response = response.withLock({ $0 }) else { return nil }
        response.body = ResponseBody(data)
        return await rejection(response)
    }

    /// Returns the endpoint's error for an error that reading the stream has thrown.
    package func failure(_ error: any Error) -> any Error {
        failure(error, response.withLock { $0 })
    }
}
