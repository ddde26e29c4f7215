extension ReadingContext {
    /// Creates the context of a stream: the closures that turn what goes wrong while the stream is read into the
    /// endpoint's ``APIError``. They know the endpoint's failure type, which this type does not.
    ///
    /// `rejection` is for a response that the endpoint does not accept. Its failure is nil if the body cannot be read
    /// as one, as for `send`. `failure` is for an error that is thrown while an accepted response is read.
    ///
    /// - Parameters:
    ///   - request: The endpoint.
    ///   - response: The response; nil before the first connection.
    ///   - call: The call.
    package convenience init<R: APIRequest>(of request: R, _ response: HTTPResponse?, in call: Call) {
        self.init(
            response, clock: call.clock,
            rejection: { response in
                APIError<R.Failure.Model>.rejected(try? await R.Failure.process(response: response), response)
            },
            failure: { error, response in
                switch error {
                case is APIError<R.Failure.Model>:
                    // It is the endpoint's error already, thrown by a stream that is read within this one.
                    return error
                case is CancellationError:
                    return APIError<R.Failure.Model>.cancelled
                case let error as TransportError:
                    let method = response?.request?.method
                    let url = response?.head.url
                    return APIError<R.Failure.Model>.transport(error.withRequest(method: method, url: url))
                default:
                    // Without a response, the error comes from a client, before the first connection.
                    guard let response else { return APIError<R.Failure.Model>(thrownBy: error) }
                    return APIError<R.Failure.Model>(thrownByReading: error, of: response)
                }
            })
    }
}
