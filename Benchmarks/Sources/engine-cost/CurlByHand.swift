import APIKit
import APIKitCurl
import CCurlByHand

/// libcurl as one would use it without this package: a thread with `curl_multi_poll`, easy handles that are used again,
/// and a continuation for each request. It lives as long as the process.
///
/// `@unchecked Sendable`: `lock` guards `waiting`, and the other variables are used on the thread alone.
final class CurlByHand: @unchecked Sendable {
    private final class Transfer {
        let url: String
        let body: Data?
        let receive: ((UnsafeRawBufferPointer) -> Void)?
        let continuation: UnsafeContinuation<Data, any Error>
        var data = Data()

        init(
            _ url: String, _ body: Data?, _ receive: ((UnsafeRawBufferPointer) -> Void)?,
            _ continuation: UnsafeContinuation<Data, any Error>
        ) {
            (self.url, self.body, self.receive, self.continuation) = (url, body, receive, continuation)
        }
    }

    private let roots: String
    private let userAgent: String
    private let multi: UnsafeMutableRawPointer
    private let accept: UnsafeMutableRawPointer
    private let acceptAndType: UnsafeMutableRawPointer
    private let lock = NSLock()
    private var waiting: [Transfer] = []
    private var active: [UnsafeMutableRawPointer: Transfer] = [:]
    private var idle: [UnsafeMutableRawPointer] = []

    /// The versions of libcurl and its libraries.
    static var version: String {
        precondition(hand_open(), "libcurl is missing")
        return String(cString: hand_version())
    }

    /// Creates a client that trusts the certificates of a file, with as many connections to a host as a `CurlClient`.
    init(roots: URL, connections: Int = CurlClient.Configuration().connectionsPerHost) {
        precondition(hand_open(), "libcurl is missing")
        self.roots = roots.path
        userAgent = "\(ProcessInfo.processInfo.processName.filter { $0 != "-" }) libcurl"
        multi = hand_multi(connections)
        accept = hand_list(nil, "Accept: application/json")
        acceptAndType = hand_list(hand_list(nil, "Accept: application/json"), "Content-Type: application/json")
        Thread { self.run() }.start()
    }

    /// Performs a GET, or a POST if there is a body, and returns the response's body unless `receive` gets it, on the
    /// thread and piece by piece.
    ///
    /// - Throws: `URLError` if the transfer fails or the status is not a success.
    func data(
        _ url: String, body: Data? = nil, receive: (@Sendable (UnsafeRawBufferPointer) -> Void)? = nil
    ) async throws -> Data {
        try await withUnsafeThrowingContinuation { continuation in
            let transfer = Transfer(url, body, receive, continuation)
            let isFirst = lock.withLock {
                waiting.append(transfer)
                return waiting.count == 1
            }
            if isFirst { hand_wake(multi) }
        }
    }

    private func run() {
        while true {
            let transfers = lock.withLock {
                defer { waiting = [] }
                return waiting
            }
            for transfer in transfers { start(transfer) }
            hand_perform(multi)
            var code: Int32 = 0
            while let easy = hand_next(multi, &code) { finish(easy, code) }
            hand_poll(multi)
        }
    }

    private func start(_ transfer: Transfer) {
        let easy = idle.popLast() ?? makeHandle()
        active[easy] = transfer
        hand_set_pointer(easy, 10001, Unmanaged.passUnretained(transfer).toOpaque())  // WRITEDATA
        transfer.url.withCString { hand_set_pointer(easy, 10002, $0) }
        hand_set_pointer(easy, 10023, transfer.body == nil ? accept : acceptAndType)
        if let body = transfer.body {
            hand_set_long(easy, 60, body.count)  // POSTFIELDSIZE
            body.withUnsafeBytes { hand_set_pointer(easy, 10165, $0.baseAddress) }  // COPYPOSTFIELDS
        } else {
            hand_set_long(easy, 80, 1)  // HTTPGET
        }
        hand_add(multi, easy)
    }

    private func makeHandle() -> UnsafeMutableRawPointer {
        let easy = hand_easy { bytes, size, count, context in
            let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
            let bytes = UnsafeRawBufferPointer(start: bytes, count: size * count)
            if let receive = transfer.receive { receive(bytes) } else { transfer.data.append(contentsOf: bytes) }
            return size * count
        }
        hand_set_long(easy, 99, 1)  // NOSIGNAL
        hand_set_long(easy, 98, 64 << 10)  // BUFFERSIZE
        roots.withCString { hand_set_pointer(easy, 10065, $0) }  // CAINFO
        // What `CurlClient` sends too, so that both requests have the same bytes.
        hand_set_pointer(easy, 10018, userAgent)  // USERAGENT
        hand_set_pointer(easy, 10102, "gzip, br, zstd")  // ACCEPT_ENCODING
        return easy
    }

    private func finish(_ easy: UnsafeMutableRawPointer, _ code: Int32) {
        let isSuccess = code == 0 && 200..<300 ~= hand_status(easy)
        hand_remove(multi, easy)
        idle.append(easy)
        guard let transfer = active.removeValue(forKey: easy) else { return }
        transfer.continuation.resume(
            with: isSuccess ? .success(transfer.data) : .failure(URLError(.badServerResponse)))
    }
}
