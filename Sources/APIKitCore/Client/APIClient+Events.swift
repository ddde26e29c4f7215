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
    /// attempt that fails. `Last-Event-ID` names the last event. A status of 204 ends the loop. A server that says
    /// nothing for longer than ``RequestOptions/timeout`` is connected to anew, which is no failure.
    ///
    /// The loop throws `CancellationError` where its task is cancelled, and else the endpoint's ``APIError``: at once
    /// where the first connection fails, where a status is refused, and where the answer is no event stream; after the
    /// given number of attempts where no connection can be made or kept.
    ///
    /// - Parameters:
    ///   - request: The endpoint.
    ///   - attempts: How many attempts in a row may fail, an event ending the row.
    /// - Returns: The events, of which nothing is asked for before they are read.
    public func events<R: APIRequest>(
        for request: R,
        attempts: Int = 5
    ) -> ReconnectingEvents where R.Response == ServerSentEvents {
        let failure: @Sendable (TransportError) -> any Error = { error in
            let outgoing = try? request.httpRequest()
            return APIError<R.Failure.Model>.transport(outgoing.map(error.naming) ?? error)
        }
        return ReconnectingEvents(attempts: attempts, failure: failure) { lastEventID in
            let reply = try await reply(to: request) { outgoing in
                if !lastEventID.isEmpty { outgoing.headers[.lastEventID] = lastEventID }
            }
            return reply.head.status == 204 ? nil : reply.model
        }
    }
}
