/// Carries the request of an exchange over a session, and reports to the exchange what the session reports.
final class Transfer: Sendable {
    let exchange: Exchange
    private let upload: UploadBody?

    init(of exchange: Exchange, sending upload: UploadBody? = nil) {
        self.exchange = exchange
        self.upload = upload
    }

    // MARK: - The request

    /// Creates the task and resumes it, unless the exchange has ended.
    func start(over route: Platform.Route) {
        let task = makeTask(on: route.session)
        let delegate = route.session.delegate as? APISessionDelegate
        delegate?[task] = self
        // The place in the line of connections is kept as long as this closure.
        let stop: @Sendable () -> Void = { [place = route.place] in
            withExtendedLifetime(place) { Platform.cancel(task) }
        }
        guard exchange.begin(stop: stop) else {
            // A task that is never resumed may never report its end.
            delegate?[task] = nil
            return Platform.cancel(task)
        }
        exchange.sent(total: 0)
        task.resume()
    }

    private func makeTask(on session: URLSession) -> URLSessionTask {
        let request = URLRequest(head: exchange.request)
        if session.delegate is APISessionDelegate {
            return Platform.makeTask(with: request, sending: upload, for: self, on: session, completion: nil)
        }
        let task = Platform.makeTask(with: request, sending: upload, for: self, on: session) { data, response, error in
            if let response { self.receive(response) }
            if let data { self.exchange.receive(data) }
            if error == nil, let upload = self.upload { self.exchange.sent(total: upload.length) }
            self.complete(error)
        }
        task.delegate = ExternalSessionDelegate(transfer: self)
        return task
    }

    /// Opens the request's body from its start, each time it is sent.
    func openBody() -> InputStream? {
        upload.flatMap { Platform.openBody($0, for: exchange) }
    }

    // MARK: - The response

    /// Reports a head. Informational ones (RFC 9110, section 15.2) come here too, on Linux.
    func receive(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse else { return }
        if response.statusCode < 200 {
            exchange.checkTimeout()
        } else {
            let head = HTTPResponse.Head(response, url: response.url ?? exchange.request.url)
            exchange.receive(head, decoding: Platform.decodedCodings)
        }
    }

    /// Ends the exchange as the session says. On Linux the head of a redirect without a usable location comes only
    /// here.
    func complete(_ error: (any Error)?, response: URLResponse? = nil) {
        if let error { return exchange.fail(Platform.transportError(error, for: exchange.request)) }
        if let response, !exchange.hasResponse { receive(response) }
        exchange.finish()
    }

    // MARK: - Challenges

    /// Has the request sent again with a credential (RFC 7617); false if it must not be.
    func retry(with credential: URLCredential) -> Bool {
        let pair = "\(credential.user ?? ""):\(credential.password ?? "")"
        return exchange.retry(withAuthorization: "Basic \(Data(pair.utf8).base64EncodedString())")
    }

    /// Ends the exchange because the session's delegate does not trust the server; the session itself would report that
    /// the task was cancelled.
    func refuseTrust() {
        let message = "the session's delegate refused the server's certificate, or to present one of its own"
        exchange.fail(TransportError(.secureConnectionFailed, message))
    }
}
