#if os(Linux)
import APIKitCore
import CAPIKitCurl

/// The loop of a client: other threads send it messages, and a ``CurlThread`` handles them. The thread is started when
/// there is none, and ends once the client has been idle for long enough.
///
/// `@unchecked Sendable`: `hosts` is used only on the loop's thread. Before another thread is started, the old one
/// takes the lock of the mailbox to mark itself as ended, after which the old thread does not touch `hosts`.
final class CurlLoop: @unchecked Sendable {
    let configuration: CurlClient.Configuration
    let mailbox = Mailbox()
    /// The hosts outlive a thread, so that the next one knows which of them support HTTP/2.
    let hosts = HostTable()

    init(_ configuration: CurlClient.Configuration) {
        self.configuration = configuration
    }

    /// Passes a message to the thread. If there is none, starts one for a request or for a reader that has caught up.
    @inline(never)
    func send(_ message: Message) {
        let needsThread = mailbox.add(message)
        if needsThread { startThread() }
    }

    /// Ends the thread, if there is one, once it has no more transfers. The same applies to later threads.
    func close() {
        mailbox.close()
    }

    /// Starts a thread with the function ``runThread()``. If that is impossible, fails the messages.
    private func startThread() {
        // The thread releases it in `takeRetainedValue`.
        let context = Unmanaged.passRetained(self)
        let hasStarted = acurl_start_thread(
            { Unmanaged<CurlLoop>.fromOpaque($0).takeRetainedValue().runThread() }, context.toOpaque())
        if hasStarted { return }
        context.release()
        failMessages(with: TransportError(.cannotConnect, "no thread can be started"))
    }

    /// The function of the thread, which returns when the thread is to end.
    private func runThread() {
        let mayUseCurl = acurl_enter()
        guard mayUseCurl else {
            // The process is about to end.
            failMessages(with: CancellationError())
            return
        }
        guard let thread = CurlThread(of: self) else {
            acurl_leave()
            failMessages(with: TransportError(.cannotConnect, "no descriptor or memory is left"))
            return
        }
        thread.run()
        acurl_leave()
    }

    /// Fails the transfers of all messages, since there is no thread that could handle them. The next request starts a
    /// thread again.
    func failMessages(with error: any Error) {
        for message in mailbox.removeAll() {
            switch message {
            case .start(let exchange, _, _):
                exchange.fail(error, beforeSending: true)
            case .resume(let transfer):
                // libcurl has ended this transfer, but its last bytes have yet to be decoded.
                transfer.exchange.fail(error)
            case .stop, .uploadPiece, .uploadEnd, .continueUpload, .close:
                break
            }
        }
    }
}
#endif
