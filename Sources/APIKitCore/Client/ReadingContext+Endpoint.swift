extension ReadingContext {
    /// Creates the context of a stream. The closures know the endpoint's failure type, which this type does not.
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
                    return error
                case is CancellationError:
                    return APIError<R.Failure.Model>.cancelled
                case let error as TransportError:
                    let method = response?.request?.method
                    let url = response?.head.url
                    return APIError<R.Failure.Model>.transport(error.withRequest(method: method, url: url))
                default:
                    guard let response else { return APIError<R.Failure.Model>(thrownBy: error) }
                    return APIError<R.Failure.Model>(thrownByReading: error, of: response)
                }
            })
    }
}
