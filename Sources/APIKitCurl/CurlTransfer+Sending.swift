#if os(Linux)
import APIKitCore
import CAPIKitCurl

// What libcurl's callbacks ask for while the request is sent.
extension CurlTransfer {
    /// Decides whether libcurl may send the request. libcurl calls this before each attempt; see
    /// ``CurlVersion/callsBackBeforeSending``.
    ///
    /// libcurl may not send the request over a connection on which bytes have arrived that no request has asked for,
    /// since they would be taken for the response. It may not send it a second time either: whether a request is
    /// repeated is the decision of the exchange.
    ///
    /// - Parameters:
    ///   - peer: The address of the connection's other end.
    ///   - peerPort: The port of the other end.
    ///   - localPort: The port of this end.
    /// - Returns: Whether libcurl may send the request. Otherwise it ends the transfer.
    func willSend(to peer: UnsafePointer<CChar>?, _ peerPort: Int32, from localPort: Int32) -> Bool {
        guard let handle else { return false }
        let isClean = handle.claimConnection(to: peer, peerPort, from: localPort)
        guard isClean else {
            // Without this, newer versions of libcurl may choose the same connection again within a second.
            handle.forbidsReuse = true
            return false
        }
        let verdict = sending.noteAttempt(openedCount: handle.openedConnectionCount)
        // An idempotent request is sent again in any case if a kept connection breaks, but over a new connection only
        // if the log shows that the server has refused it.
        if host.mayUseHTTP2, sending.isConnectionReused == false { handle.isVerbose = true }
        return act(on: verdict, handle)
    }

    /// Checks how far the transfer is. libcurl calls this after each step of it, unless the handle ignores steps.
    ///
    /// - Returns: Whether the transfer may continue.
    func step() -> Bool {
        guard let handle else { return true }
        if response.expectsEndOfConnection {
            response.noteEndOfConnection(isProper: acurl_has_end_of_tls(handle.easy))
        }
        // libcurl has called `willSend` instead.
        if CurlVersion.installed.callsBackBeforeSending { return true }
        return act(on: sending.noteStep(of: handle.easy), handle)
    }

    /// Acts on a verdict: if libcurl now begins to send the head, notifies the thread and the exchange.
    ///
    /// - Returns: Whether the transfer may continue.
    private func act(on verdict: SendingGuard.Verdict, _ handle: CurlHandle) -> Bool {
        if verdict.beginsNow {
            handle.thread.didConnect(to: host)
            reportHeadSent()
        }
        return verdict.mayContinue
    }

    /// Reports that the head is being sent, and with it the body if libcurl has all of it.
    private func reportHeadSent() {
        switch upload {
        case .withHead(let byteCount): exchange.sent(total: byteCount)
        case .inPieces: exchange.sent(total: 0)
        }
    }

    /// Notes that the server has refused the request without processing it, according to libcurl's log.
    func noteRefusal() {
        sending.isRefused = true
    }

    /// Copies the next bytes of the body to libcurl's buffer; see ``CurlUpload/read(into:)``. libcurl calls this only
    /// for a body that is sent in pieces.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        switch upload {
        case .inPieces(let upload): upload.read(into: buffer)
        case .withHead: CURL_READFUNC_ABORT
        }
    }
}
#endif
