#if os(Linux)
import APIKitCore
import CAPIKitCurl

/// Carries the request of an exchange over a handle of libcurl, and reports to the exchange what libcurl reports.
///
/// `@unchecked Sendable`: its variables are used on the loop's thread alone, where libcurl calls its callbacks.
final class CurlTransfer: @unchecked Sendable {
    let exchange: Exchange
    private let request: HTTPRequest
    private let cookies: (any CookieStore)?
    private let loop: CurlLoop
    private let url: String
    /// The origin, for which the number of connections is limited.
    let origin: Substring
    var host: CurlLoop.Host?
    /// Whether several such transfers may share a connection, over HTTP/2.
    var mayShareConnection: Bool { isSecure && loop.configuration.httpVersion == .http2 }
    private let isSecure: Bool
    /// Whether the response has begun.
    var hasHead: Bool { head.isComplete }
    /// Whether it waits for its connection.
    var isConnecting: Bool { sending.timesSent == 0 }
    /// Its place in the line of those that wait.
    var number: Int?
    /// The handle while the transfer is under way.
    private(set) var easy: OpaquePointer?
    /// The connections of the loop while the transfer is under way.
    private var connections: OpaquePointer?
    private var headerLines: OpaquePointer?
    private var errorText: UnsafeMutablePointer<CChar>?

    private var body = Body.none
    private var sending = SendingGuard()
    /// Whether the body waits for the server to want it, after `Expect: 100-continue`.
    private var awaitsContinue = false
    private var continueTimer: Task<Void, Never>?
    private var bytesSent = 0
    private var upload: Task<Void, Never>?
    /// Asks for another piece of the body.
    private var demand: AsyncStream<Void>.Continuation?
    private var pieces: [Data] = []
    private var isUploadComplete = false
    private var isUploadPaused = false

    private var head = HeadReader()
    private(set) var decoder: ContentDecoder?
    /// What the exchange has yet to get: libcurl's pieces of 16 KB, joined, since each may wake a reader.
    private var received = Data()
    private var bodyEnd = BodyEnd.known
    /// Whether libcurl waits until it may give more of the body.
    private var isReceivePaused = false
    /// Whether libcurl is done; what its last bytes decode to may still wait for the reader.
    private var isReceived = false
    /// Why libcurl has ended the transfer, and whether before the server has processed anything; nil if it is complete.
    private var failure: (error: TransportError, isUnprocessed: Bool)?
    /// Whether it is in the loop's line of those that take turns to decode.
    var isInLine = false

    /// How the body of the request is sent.
    private enum Body {
        case none
        /// Together with the head.
        case data(Data)
        /// Piece by piece.
        case pieces(RequestBody)
    }

    /// What the end of the response's body is seen by.
    private enum BodyEnd {
        /// Its length, its chunks or its stream.
        case known
        /// The end of the connection, which over TLS is proper after an alert alone (RFC 9112, section 9.8).
        case connection(isProper: Bool)
    }

    /// What callbacks return to pause libcurl.
    private static let pause = 0x1000_0001

    init(of exchange: Exchange, on loop: CurlLoop, cookies: (any CookieStore)? = nil) {
        self.exchange = exchange
        self.loop = loop
        self.cookies = cookies
        var request = exchange.request
        if let cookies, request.headers[.cookie] == nil { request.headers[.cookie] = cookies.cookies(for: request.url) }
        self.request = request
        url = request.url.absoluteString
        origin = Self.origin(of: url)
        isSecure = url.hasPrefix("https:")
    }

    /// The scheme, the host and the port: what comes before the third slash.
    private static func origin(of url: String) -> Substring {
        var slashes = 0
        for index in url.utf8.indices where url.utf8[index] == 0x2F {
            slashes += 1
            if slashes == 3 { return url[..<index] }
        }
        return url[...]
    }

    // MARK: - Starting and stopping

    /// - Returns: Whether the request is to be sent.
    func begin() -> Bool {
        exchange.begin(stop: { self.loop.send(.stop(self)) }, resume: { self.loop.send(.resume(self)) })
    }

    /// Sets up a handle to send the request.
    ///
    /// - Parameters:
    ///   - easy: The handle.
    ///   - connections: The loop that opens and keeps connections.
    ///   - isOneOfMany: Whether so many requests are under way that each gets a small buffer.
    func prepare(_ easy: OpaquePointer, on connections: OpaquePointer, isOneOfMany: Bool) {
        (self.easy, self.connections) = (easy, connections)
        acurl_set_context(easy, Unmanaged.passUnretained(self).toOpaque())
        errorText = .allocate(capacity: 256)  // CURL_ERROR_SIZE
        errorText?.initialize(repeating: 0, count: 256)
        set(.errorBuffer, errorText.map(UnsafeRawPointer.init))
        set(.url, url)
        set(.bufferSize, isOneOfMany ? 4 << 10 : 64 << 10)
        // libcurl gives each address a share of it; the request's own timeout is the exchange's. Newer versions count
        // the wait for one of a limited number of connections.
        let limit = loop.configuration.connections == nil ? loop.configuration.connectTimeout : .seconds(86_400)
        let connectTimeout = min(limit, request.options.effectiveTimeout)
        set(.connectTimeout, Int(max(1, connectTimeout.milliseconds)))
        set(.httpVersion, mayShareConnection ? 4 : 2)
        // Unix sockets have no ports, by which connections of an old libcurl are identified. Over a kept connection of
        // HTTP/2, it often loses a response that arrives before the body is sent.
        let mayLoseResponse = mayShareConnection && !request.isRepeatable && request.body != nil
        let needsOwnConnection =
            !SendingGuard.isAsked && (loop.configuration.unixSocket != nil || mayLoseResponse)
        set(.freshConnection, exchange.isResend || needsOwnConnection ? 1 : 0)
        set(.forbidReuse, 0)
        set(.waitForMultiplexing, host?.isGated == true ? 0 : 1)
        // Others are sent again after a refused stream in any case.
        set(.verbose, mayShareConnection && !request.isRepeatable ? 1 : 0)
        set(.noProgress, SendingGuard.isAsked ? 1 : 0)
        setMethodAndBody()
        headerLines = makeHeaderLines()
        set(.headers, headerLines.map(UnsafeRawPointer.init))
    }

    private func setMethodAndBody() {
        // This undoes what an earlier request has set.
        set(.get, 1)
        set(.method, request.method == .get || request.method == .head ? nil : request.method.rawValue)
        if request.method == .head { set(.noBody, 1) }
        if let content = request.body {
            awaitsContinue = request.headers["Expect"].map { $0.lowercased() == "100-continue" } ?? false
            if !awaitsContinue, let length = content.length, length <= 64 << 10, let data = content.data {
                body = .data(data)
            } else {
                body = .pieces(content)
            }
        } else if [.post, .put, .patch].contains(request.method) {
            // RFC 9110, section 8.6, wants a Content-Length.
            body = .data(Data())
        }
        switch body {
        case .none: break
        case .data(let data):
            set(.post, 1)
            set(.postSize, data.count)
            data.withUnsafeBytes { set(.copiedPost, $0.baseAddress ?? errorText.map(UnsafeRawPointer.init)) }
        case .pieces(let content):
            set(.upload, 1)
            set(.uploadSize, content.length ?? -1)
        }
    }

    private func makeHeaderLines() -> OpaquePointer? {
        var lines: OpaquePointer?
        // The first one counts for libcurl, which then neither waits for the server to want a body nor, after a 417,
        // sends the request again: the transfer does the first by itself.
        if case .none = body {} else { lines = acurl_list_append(lines, "Expect:") }
        for field in request.headers {
            // libcurl leaves a header without a value out, unless it is written like this.
            let isBlank = field.value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
            let line = isBlank ? field.name.rawValue + ";" : field.name.rawValue + ": " + field.value
            lines = acurl_list_append(lines, line)
        }
        if case .none = body { return lines }
        // No type that the body does not have.
        if request.headers[.contentType] == nil { lines = acurl_list_append(lines, "Content-Type:") }
        return lines
    }

    private func set(_ option: CurlOption, _ value: Int) {
        if let easy { _ = acurl_set_long(easy, option.rawValue, value) }
    }

    private func set(_ option: CurlOption, _ value: UnsafeRawPointer?) {
        if let easy { _ = acurl_set_pointer(easy, option.rawValue, value) }
    }

    private func set(_ option: CurlOption, _ text: String?) {
        guard let text else { return set(option, UnsafeRawPointer?.none) }
        text.withCString { set(option, UnsafeRawPointer($0)) }
    }

    /// Gives up what the transfer holds; called once its handle is no longer under way.
    func release() {
        upload?.cancel()
        continueTimer?.cancel()
        pieces = []
        set(.errorBuffer, UnsafeRawPointer?.none)
        set(.headers, UnsafeRawPointer?.none)
        acurl_list_destroy(headerLines)
        errorText?.deallocate()
        (easy, connections, headerLines, errorText) = (nil, nil, nil, nil)
    }

    /// Reports the end, with libcurl's code.
    func end(_ code: Int32) {
        report()
        isReceived = true
        if code != 0 {
            let isUnsent = SendingGuard.isAsked && sending.timesSent == 0
            failure = (error(of: code), isUnsent || sending.isRefused)
        } else if !head.isComplete {
            failure = (TransportError(.connectionLost, "the connection was closed within the head"), false)
        } else if case .connection(isProper: false) = bodyEnd {
            let message = "the connection was closed without the alert of TLS, so the body may be incomplete"
            failure = (TransportError(.connectionLost, message), false)
        }
        finishIfDecoded()
    }

    private func error(of code: Int32) -> TransportError {
        let answer = easy.map { acurl_get($0, CurlInfo.connectCode.rawValue) } ?? 0
        guard answer == 0 || 200..<300 ~= answer else {
            let message = "the proxy answered CONNECT with the status \(answer)"
            return TransportError(.proxyRefused, message, underlying: CurlError(code: code))
        }
        return TransportError(curl: code, errorText.map { String(cString: $0) } ?? "")
    }

    // MARK: - The request

    /// Called before the request is sent, from 7.80 on.
    ///
    /// - Returns: Whether it may be: neither on a connection on which something has arrived that nobody asked for, nor
    ///   a second time; the exchange decides whether to send it over another one.
    private func willSend() -> Bool {
        if let easy, let connections, !acurl_loop_claim(connections, easy) {
            // Newer versions of libcurl may choose the same one again for a second.
            set(.forbidReuse, 1)
            return false
        }
        return mayContinue { $0.willSend() }
    }

    /// Runs a check of `sending`, and reports the head once it is sent.
    private func mayContinue(_ check: (inout SendingGuard) -> Bool) -> Bool {
        let wasSent = !isConnecting
        let mayContinue = check(&sending)
        if !wasSent, !isConnecting {
            if let host { loop.didConnect(to: host) }
            reportHeadSent()
        }
        return mayContinue
    }

    /// Called after each step, if libcurl is asked for that.
    private func step() -> Bool {
        guard let easy else { return true }
        if case .connection = bodyEnd { bodyEnd = .connection(isProper: acurl_has_end_of_tls(easy)) }
        return SendingGuard.isAsked || mayContinue { $0.mayContinue(easy) }
    }

    private func reportHeadSent() {
        if case .data(let data) = body { bytesSent = data.count }
        exchange.sent(total: bytesSent)
    }

    /// Gives the next bytes of the body.
    private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        if awaitsContinue {
            isUploadPaused = true
            limitWait()
            return Self.pause
        }
        guard let piece = pieces.first else {
            if isUploadComplete { return 0 }
            isUploadPaused = true
            startUpload()
            return Self.pause
        }
        let count = min(piece.count, buffer.count)
        piece.copyBytes(to: buffer, count: count)
        if count == piece.count {
            pieces.removeFirst()
            demand?.yield()
        } else {
            pieces[0] = piece.dropFirst(count)
        }
        bytesSent.addClamping(count)
        exchange.sent(total: bytesSent)
        return count
    }

    /// Ends the wait for a 100 after a second, since servers may not know it (RFC 9110, section 10.1.1).
    private func limitWait() {
        guard continueTimer == nil else { return }
        continueTimer = Task { [loop] in
            guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
            loop.send(.sendBody(self))
        }
    }

    /// Sends the body, which waited for a 100.
    func sendBody() {
        guard awaitsContinue else { return }
        awaitsContinue = false
        if isUploadPaused, let easy { acurl_continue(easy) }
    }

    /// Reads the body in a task, two pieces ahead of what is sent.
    private func startUpload() {
        guard case .pieces(let content) = body, upload == nil else { return }
        let (demands, demand) = AsyncStream.makeStream(of: Void.self)
        self.demand = demand
        // It is the transfer's, and ends with it.
        upload = Task { [exchange, loop] in
            var demands = demands.makeAsyncIterator()
            do {
                for try await piece in content.bytes {
                    loop.send(.upload(self, piece))
                    guard await demands.next() != nil else { return }
                }
                // A stream that ends because of a cancel must not pass for a whole one.
                if !Task.isCancelled { loop.send(.upload(self, nil)) }
            } catch {
                // A cancel comes after the end of the transfer.
                if !Task.isCancelled { exchange.fail(error) }
            }
        }
        demand.yield()
    }

    /// Takes a piece of the body that has been read, nil at its end.
    func upload(_ piece: Data?) {
        if let piece { pieces.append(piece) } else { isUploadComplete = true }
        guard isUploadPaused, let easy else { return }
        isUploadPaused = false
        acurl_continue(easy)
    }

    // MARK: - The response

    private func receive(line: UnsafeRawBufferPointer) -> Bool {
        do throws(TransportError) {
            if let (status, headers) = try head.take(line) { try receive(status, headers) }
            if awaitsContinue, head.mayContinue { loop.send(.sendBody(self)) }
        } catch {
            exchange.fail(error)
        }
        return !exchange.isOver
    }

    private func receive(_ status: Int, _ headers: HTTPHeaders) throws(TransportError) {
        let head = HTTPResponse.Head(status: status, headers: headers, url: request.url)
        if mayShareConnection, let easy { host?.isShared = acurl_get(easy, CurlInfo.httpVersion.rawValue) >= 3 }
        forbidReuseIfUnread()
        reportConnection()
        cookies?.store(from: head)
        let codings = head.contentCodings
        // libcurl would decode other transfer codings, and without a limit (RFC 9112, section 6.1).
        let isChunkedAtMost = headers.values(for: .transferEncoding).allSatisfy {
            ["chunked", "identity"].contains($0.lowercased())
        }
        guard codings.count <= 1, isChunkedAtMost else {
            throw TransportError(.badResponse, "the body has codings that this engine cannot decode")
        }
        decoder = codings.first.flatMap(ContentDecoder.init)
        watchEnd(of: head)
        exchange.receive(head, decoding: ContentDecoder.codings)
        // An older libcurl does not see that it can stop sending while it waits for more to send.
        if isUploadPaused { loop.send(.resume(self)) }
    }

    /// Has libcurl call ``step()`` if the body ends with a connection over TLS, since some versions take any end for
    /// proper.
    private func watchEnd(of head: HTTPResponse.Head) {
        guard isSecure, let easy, acurl_get(easy, CurlInfo.httpVersion.rawValue) < 3,
            head.headers[.contentLength] == nil, head.headers[.transferEncoding] == nil,
            (try? head.bodyLength(for: request.method)) != 0
        else { return }
        bodyEnd = .connection(isProper: true)
        set(.noProgress, 0)
    }

    /// Closes the connection after the response if more has arrived than libcurl reads of it. What remains in the
    /// library for TLS would be taken for the next response, and the socket does not show it.
    private func forbidReuseIfUnread() {
        guard isSecure, let easy else { return }
        set(.forbidReuse, acurl_has_unread(easy) ? 1 : 0)
    }

    /// Reports the steps to the connection, from libcurl's times, each of which counts from the start.
    private func reportConnection() {
        func get(_ info: CurlInfo) -> Int64 { easy.map { acurl_get($0, info.rawValue) } ?? 0 }
        guard get(.newConnections) > 0 else { return exchange.connected(isReused: true) }
        let (lookup, connect, secure) = (get(.nameLookupTime), get(.connectTime), get(.secureTime))
        exchange.connected(
            isReused: false, nameLookup: .microseconds(lookup), connect: .microseconds(max(0, connect - lookup)),
            secureHandshake: secure > 0 ? .microseconds(max(0, secure - connect)) : nil)
    }

    /// Takes bytes of the body.
    ///
    /// - Returns: How many there were, that libcurl is to give them again later, or 0 if the transfer is over.
    private func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
        if exchange.isOver { return 0 }
        forbidReuseIfUnread()
        if exchange.shouldPause || decoder.map({ $0.input.count >= 64 << 10 }) ?? false {
            isReceivePaused = true
            return Self.pause
        }
        if let decoder {
            decoder.add(bytes)
            loop.willDecode(self)
        } else {
            if received.isEmpty { loop.willReport(self) }
            append(bytes)
        }
        return bytes.count
    }

    /// Keeps bytes of the body for the next report.
    func append(_ bytes: UnsafeRawBufferPointer) {
        // More is likely to follow a full piece.
        if bytes.count >= 16 << 10 { received.reserveCapacity(272 << 10) }
        received.append(contentsOf: bytes)
        if received.count >= 256 << 10 { report() }
    }

    /// Gives the exchange what has been received.
    func report() {
        guard !received.isEmpty else { return }
        // A small body that is kept must not hold the whole buffer.
        let isTight = received.count < 16 << 10 || received.count >= 256 << 10
        exchange.receive(isTight ? received : received.withUnsafeBytes { Data($0) })
        received = Data()
    }

    /// Resumes after a pause of the reader.
    func resume() {
        isReceivePaused = true
        if decoder?.isDrained == false { loop.willDecode(self) } else { receiveMore() }
    }

    /// Lets libcurl go on once everything it gave is decoded, or ends the body.
    func receiveMore() {
        // The exchange may be full again by now, and resumes again.
        guard !exchange.isOver, !exchange.shouldPause, decoder?.isDrained ?? true else { return }
        if isReceived { return finishIfDecoded() }
        guard let easy, isReceivePaused else { return }
        isReceivePaused = false
        acurl_continue(easy)
    }

    private func finishIfDecoded() {
        guard decoder?.isDrained ?? true else { return }
        if let failure {
            exchange.fail(failure.error, beforeSending: failure.isUnprocessed)
        } else if decoder?.isComplete == false {
            exchange.fail(TransportError(.badResponse, "the body ends before its Content-Encoding says so"))
        } else {
            exchange.finish()
        }
    }

    // MARK: - libcurl's callbacks

    private static let callbacks = acurl_callbacks(
        head: { line, size, count, context in
            of(context).receive(line: UnsafeRawBufferPointer(start: line, count: size * count)) ? size * count : 0
        },
        write: { bytes, size, count, context in
            of(context).receive(UnsafeRawBufferPointer(start: bytes, count: size * count))
        },
        read: { buffer, size, count, context in
            of(context).read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
        },
        ready: { context, _, _, _, _ in of(context).willSend() ? 0 : 1 },
        step: { context, _, _, _, _ in of(context).step() ? 0 : 1 },
        debug: { _, kind, text, size, context in
            // Nothing else tells a refused stream from a broken connection.
            if acurl_says_refused(kind, text, size) { of(context).sending.isRefused = true }
            return 0
        })

    private static func of(_ context: UnsafeMutableRawPointer) -> CurlTransfer {
        Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    }

    /// Creates a handle with what all requests of a client have in common.
    ///
    /// - Throws: `TransportError` if the installed libcurl cannot do what the configuration asks for.
    static func makeHandle(
        _ configuration: CurlClient.Configuration, on connections: OpaquePointer
    ) throws(TransportError) -> OpaquePointer {
        guard let easy = acurl_easy_create(callbacks, connections) else {
            throw TransportError(.other, "no memory is left")
        }
        do throws(TransportError) {
            try configuration.apply(to: easy)
        } catch {
            acurl_easy_destroy(easy)
            throw error
        }
        return easy
    }
}
#endif
