#if os(Linux)
import APIKitCore
import CAPIKitCurl

/// Carries the request of an exchange over a handle of libcurl, and reports to the exchange what libcurl reports.
///
/// Each part of its state has a type of its own, which decides what to do next: ``SendingGuard`` for the head of the
/// request, ``CurlUpload`` for a body that is sent in pieces, and ``CurlResponse``. The transfer asks them and acts.
///
/// `@unchecked Sendable`: its variables are used only on the loop's thread, where libcurl calls its callbacks. The
/// variables that each request uses several times are `@exclusivity(unchecked)`, since the check of exclusive access
/// costs more than the access.
final class CurlTransfer: @unchecked Sendable {
    let exchange: Exchange
    let cookies: RequestCookies
    /// The longest time from the start of the transfer to the end of the response, nil for no limit.
    let transferTimeout: Duration?
    let url: String
    /// The host of the URL, which limits how many transfers may run at once.
    let host: CurlLoop.Host
    /// Passes messages to the thread, from any thread and from libcurl's callbacks.
    let loop: CurlLoop

    @exclusivity(unchecked) private(set) var stage = Stage.created
    @exclusivity(unchecked) var sending = SendingGuard()
    @exclusivity(unchecked) var upload = Upload.withHead(byteCount: 0)
    @exclusivity(unchecked) var response: CurlResponse
    /// Whether the transfer is in the queue of ``DecodingTurns``.
    var isQueuedToDecode = false

    /// How far the thread is with a transfer.
    enum Stage {
        /// It was created. Next: `waiting` or `running`, unless its exchange has ended already.
        case created
        /// It waits for its host, under this number in the thread's ``WaitingTransfers``. Next: `running` or `ended`.
        case waiting(number: Int)
        /// libcurl has it, and it has this place in the thread's ``RunningTransfers``. Next: `ended`.
        case running(CurlHandle, place: Int)
        /// It was stopped, or libcurl has ended it. The last bytes of a response may still have to be decoded.
        case ended
    }

    /// The body of the request on its way.
    enum Upload {
        /// libcurl has got the whole body, and sends it together with the head.
        case withHead(byteCount: Int)
        /// libcurl asks for the body piece by piece.
        case inPieces(CurlUpload)
    }

    /// Creates a transfer, which does nothing before ``begin()``.
    init(
        of exchange: Exchange, cookies: RequestCookies, transferTimeout: Duration?, to url: String,
        on host: CurlLoop.Host, loop: CurlLoop
    ) {
        self.exchange = exchange
        self.cookies = cookies
        self.transferTimeout = transferTimeout
        self.url = url
        self.host = host
        self.loop = loop
        response = CurlResponse(to: exchange.request.method, keepsCookies: cookies.store != nil)
    }

    var request: HTTPRequest { exchange.request }

    /// The handle of libcurl that the transfer uses, nil unless libcurl has the transfer.
    var handle: CurlHandle? {
        if case .running(let handle, _) = stage { handle } else { nil }
    }

    /// Whether the transfer has no connection yet. It has one once libcurl has begun to send the head.
    var isConnecting: Bool { !sending.hasBegun }

    // MARK: - Stages

    /// Begins the exchange.
    ///
    /// - Returns: False if the exchange has ended, and the request must not be sent.
    func begin() -> Bool {
        exchange.begin(stop: { self.loop.send(.stop(self)) }, resume: { self.loop.send(.resume(self)) })
    }

    /// Notes that the transfer waits for its host, under a number in ``WaitingTransfers``.
    func wait(as number: Int) {
        stage = .waiting(number: number)
    }

    /// Sets up a handle to send the request. The caller then adds the transfer to ``RunningTransfers``, and the handle
    /// to the multi handle.
    func setUp(_ handle: CurlHandle, for request: CurlRequest) {
        switch request.body {
        case .none:
            upload = .withHead(byteCount: 0)
        case .withHead(let data):
            upload = .withHead(byteCount: data.count)
        case .inPieces(let content, let awaitsContinue):
            upload = .inPieces(CurlUpload(content, awaitsContinue: awaitsContinue, of: self, on: handle))
        }
        handle.beginUse(by: self, sending: request)
    }

    /// Notes that the transfer uses a handle, and its place in ``RunningTransfers``.
    func run(on handle: CurlHandle, at place: Int) {
        stage = .running(handle, place: place)
    }

    /// Notes that the transfer has another place in ``RunningTransfers``.
    func move(to place: Int) {
        guard case .running(let handle, _) = stage else { return }
        stage = .running(handle, place: place)
    }

    /// Ends the use of the handle, if there is one, and the upload. Called after the handle was removed from the multi
    /// handle.
    func leaveLibcurl() {
        stage = .ended
        if case .inPieces(let upload) = upload { upload.end() }
    }

    // MARK: - The end

    /// Has the connection watched for unrequested bytes, unless other requests use it. Called once the transfer is
    /// complete.
    func leaveConnection(of handle: CurlHandle) {
        let isShared = host.mayUseHTTP2 && handle.hasHTTP2
        if !isShared { handle.leaveConnection() }
    }

    /// Reports what has arrived, and that libcurl has ended the transfer. The exchange ends now, or once the last bytes
    /// are decoded.
    ///
    /// - Parameters:
    ///   - code: libcurl's code, 0 for success.
    ///   - handle: The handle that the transfer uses.
    func end(_ code: Int32, of handle: CurlHandle) {
        // Most small responses have arrived as a whole, and are reported in one step.
        if code == 0, let whole = response.takeWhole() {
            exchange.finish(with: whole.head, body: whole.body)
            return
        }
        report()
        let failure = failure(for: code, of: handle)
        // After a failure before the response, the exchange asks whether the connection was a kept one. With a
        // response, this has been reported before.
        if failure != nil, !response.hasHead, let isReused = sending.isConnectionReused {
            exchange.connected(isReused: isReused)
        }
        perform(response.end(failure), on: handle.thread)
    }

    /// Returns the failure for a code of libcurl, nil for success.
    private func failure(for code: Int32, of handle: CurlHandle) -> CurlResponse.Failure? {
        if code == 0 { return nil }
        // Only a libcurl that calls back before sending tells for certain that it has sent nothing.
        let isUnsent = CurlVersion.installed.callsBackBeforeSending && !sending.hasBegun
        // A request that the server has refused was sent, but not processed, which counts as unsent.
        return CurlResponse.Failure(
            error: handle.error(for: code, hasResponse: response.hasBegun),
            isBeforeSending: isUnsent || sending.isRefused)
    }
}
#endif
