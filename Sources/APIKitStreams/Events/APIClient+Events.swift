public import APIKitCore

extension APIClient {
    /// The events of an endpoint over any number of connections: if one ends, the next resumes after the last event
    /// (WHATWG HTML, section 9.2).
    ///
    /// ```swift
    /// for try await event in client.events(for: TickerRequest()) { show(event.data) }
    /// ```
    ///
    /// Nothing is sent before the loop begins. Leaving the loop, or cancelling its task, ends the connection.
    ///
    /// The pause between two connections is the one that the server asks for with `retry`, or 3 seconds. It doubles up
    /// to a minute with each failed attempt, and is never shorter than 100 milliseconds. `Last-Event-ID` names the last
    /// event, and the endpoint's own header is used until there is one. An id with a control character or of more than
    /// 8,000 bytes cannot be sent; the one before it is sent instead. If no data arrives for longer than
    /// ``RequestOptions/timeout``, the client reconnects, which does not count as a failed attempt. A status of 204
    /// ends the loop.
    ///
    /// Reconnecting sends the request again, which can repeat its effect if the method is not safe, as with POST. By
    /// default, such a request is sent once: the loop ends with its connection, and throws if the connection breaks.
    /// Pass `reconnects: true` if repeating it is safe.
    ///
    /// The loop throws the endpoint's ``APIError``: at once if the first connection fails, the status is neither 200
    /// nor 204, or the response is not an event stream, and after the given number of attempts if the connection cannot
    /// be made or kept.
    ///
    /// - Parameters:
    ///   - request: The endpoint.
    ///   - options: Options of these calls, which override the endpoint's options one by one.
    ///   - attempts: How many consecutive attempts may fail; an event resets the count.
    ///   - reconnects: Whether to connect again when a connection ends or breaks. By default, only for safe methods
    ///     (RFC 9110, section 9.2.1).
    /// - Returns: The events.
    public func events<R: APIRequest>(
        for request: R,
        options: RequestOptions? = nil,
        attempts: Int = 5,
        reconnects: Bool? = nil
    ) -> ServerSentEvents.Reconnecting where R.Response == ServerSentEvents {
        let context = ReadingContext(of: request, nil, in: Call(endpoint: request, clock: clock))
        return ServerSentEvents.Reconnecting(
            attempts: attempts,
            reconnects: reconnects ?? request.method.isSafe,
            lastEventID: request.headers[.lastEventID] ?? request.base.headers[.lastEventID] ?? "",
            reading: context
        ) { lastEventID in
            var (call, response) = try await response(to: request, options, nil) { outgoing in
                outgoing.headers[.lastEventID] = lastEventID.isEmpty ? nil : lastEventID
            }
            let events = try await request.model(of: response, in: call)
            switch response.head.status {
            case 200:
                context.connect(response)
                return events
            case 204: return nil
            default:
                // The events are not read, so the error gets a response without a body.
                response.body = ResponseBody()
                throw APIError<R.Failure.Model>.rejected(nil, response)
            }
        }
    }
}
