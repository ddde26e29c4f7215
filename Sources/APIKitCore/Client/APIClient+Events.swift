extension APIClient {
    /// The events of an endpoint, over as many connections as it takes: where one ends, the next goes on behind the
    /// last event (WHATWG HTML, section 9.2).
    ///
    /// ```swift
    /// for try await event in client.events(for: TickerRequest()) { show(event.data) }
    /// ```
    ///
    /// Nothing is sent before the loop begins; leaving it, or cancelling its task, ends it all. Between two connections
    /// there is the pause that the server asked for with `retry`, or 3 seconds, doubled up to a minute with each
    /// attempt that fails; it is never shorter than 100 milliseconds. `Last-Event-ID` names the last event; before there
    /// is one, it is the endpoint's own header. An id that a header cannot hold, one with a control character, is not
    /// sent, and the one before it is sent again. A status of 204 ends the loop. A server that says nothing for longer
    /// than ``RequestOptions/timeout`` is connected to anew, which is no failure.
    ///
    /// Connecting again sends the request again. With a method that is not safe, such as POST, that could have its
    /// effect twice, and so there is one connection: the loop ends when it ends, and throws if it breaks. If sending
    /// the request again is right for your API, pass `reconnects: true`.
    ///
    /// The loop throws `CancellationError` where its task is cancelled, and else the endpoint's ``APIError``: at once
    /// where the first connection fails, where a status is refused, and where the answer is no event stream; after the
    /// given number of attempts where no connection can be made or kept. A status other than 200 and 204 is refused,
    /// also if the endpoint accepts it.
    ///
    /// - Parameters:
    ///   - request: The endpoint.
    ///   - attempts: How many attempts in a row may fail, an event ending the row.
    ///   - reconnects: Whether to connect again when a connection ends or breaks. By default only for safe methods
    ///     (RFC 9110, section 9.2.1).
    ///   - clock: The clock that times the pauses.
    /// - Returns: The events, of which nothing is asked for before they are read.
    public func events<R: APIRequest>(
        for request: R,
        attempts: Int = 5,
        reconnects: Bool? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) -> ReconnectingEvents where R.Response == ServerSentEvents {
        let failure: @Sendable (TransportError) -> any Error = { error in
            let outgoing = try? request.httpRequest()
            return APIError<R.Failure.Model>.transport(outgoing.map { error.withRequest($0) } ?? error)
        }
        return ReconnectingEvents(
            attempts: attempts,
            reconnects: reconnects ?? request.method.isSafe,
            lastEventID: request.headers[.lastEventID] ?? request.defaultHeaders[.lastEventID] ?? "",
            clock: clock,
            failure: failure
        ) { lastEventID in
            let reply = try await reply(to: request) { outgoing in
                outgoing.headers[.lastEventID] = lastEventID.isEmpty ? nil : lastEventID
            }
            switch reply.head.status {
            case 200: return reply.model
            case 204: return nil
            default:
                var response = HTTPResponse(head: reply.head, timing: reply.timing)
                response.method = request.method
                throw APIError<R.Failure.Model>.rejected(nil, response)
            }
        }
    }
}
