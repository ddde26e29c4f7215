#if os(Linux)
import APIKitCore
import APIKitSupport

/// The response of a transfer: what libcurl has delivered, what of it is decoded and reported, and what comes next.
///
/// It decides, and the transfer acts: functions return what to do.
struct CurlResponse {
    private(set) var headReader: HeadReader
    /// Decodes the body, nil if it has no content coding.
    private var decoder: ContentDecoder?
    /// What is to be reported next.
    var unreported = UnreportedResponse()
    private var bodyEnd = BodyEnd.known
    private var delivery = Delivery.running
    /// The method of the request.
    private let method: HTTPMethod
    /// The number of bytes of the body before it is decoded: 0 if there is none, nil if the head does not say it.
    private var bodyLength: Int?
    /// How many bytes of the body have arrived, before they are decoded.
    private var receivedCount = 0

    /// What libcurl does for the response.
    private enum Delivery {
        /// It delivers bytes as they arrive. Next: `paused` or `ended`.
        case running
        /// It delivers nothing until it is resumed, because the reader is behind. Next: `running` or `ended`.
        case paused
        /// It has ended the transfer. Its last bytes may still have to be decoded and reported.
        case ended(Failure?)
    }

    /// Why a response is incomplete.
    struct Failure {
        let error: TransportError
        /// Whether the server cannot have begun to process the request.
        let isBeforeSending: Bool
    }

    /// How the end of the body is recognized.
    private enum BodyEnd {
        /// By its length, by its last chunk, or by the end of its HTTP/2 stream.
        case known
        /// By the end of the connection. Over TLS, the end is proper only after an alert (RFC 9112, section 9.8).
        case connection(isProper: Bool)
    }

    /// Creates a response of which nothing has arrived.
    ///
    /// - Parameters:
    ///   - method: The method of the request.
    ///   - keepsCookies: Whether the cookies of the response are wanted.
    init(to method: HTTPMethod, keepsCookies: Bool) {
        self.method = method
        headReader = HeadReader(keepsCookies: keepsCookies)
    }

    // MARK: - The head

    /// Whether a line of a head has arrived.
    var hasBegun: Bool { headReader.hasBegun }
    /// Whether the final head has arrived.
    var hasHead: Bool { headReader.isComplete }

    /// Checks bytes of a line that libcurl has not parsed yet; see ``HeadReader/noteUnparsed(_:)``.
    mutating func mayParse(_ bytes: UnsafeRawBufferPointer) -> Bool {
        headReader.noteUnparsed(bytes)
    }

    /// Reads a line of the head or of the trailers; see ``HeadReader/read(line:)``.
    mutating func read(line: UnsafeRawBufferPointer) throws(TransportError) -> HeadReader.Head? {
        try headReader.read(line: line)
    }

    /// Prepares for the body, and keeps the final head for the next report.
    ///
    /// - Throws: `TransportError` with the code `badResponse` if the body has codings that cannot be decoded.
    mutating func begin(with head: HTTPResponse.Head) throws(TransportError) {
        bodyLength = bodyLength(in: head)
        // A body with a simple framing has no coding to decode.
        if !headReader.framing.isSimple { decoder = try Self.decoder(for: head) }
        // The length of an encoded body is not that of the decoded bytes, which are reported.
        let decodedLength = decoder == nil ? headReader.framing.length : nil
        unreported.add(head, bodyLength: decodedLength)
    }

    /// The length of the body, before it is decoded, that a head announces; 0 if there is no body, nil if the head does
    /// not announce a valid length.
    private func bodyLength(in head: HTTPResponse.Head) -> Int? {
        let hasNoBody = method == .head || head.status == 204 || head.status == 304
        if hasNoBody { return 0 }
        if headReader.framing.isSimple { return headReader.framing.length }
        // The exchange fails because of an invalid length.
        return (try? head.bodyLength(for: method)) ?? nil
    }

    /// Creates the decoder for the body of a response; nil if the body is not encoded, or encoded in a way that this
    /// system cannot decode.
    ///
    /// - Throws: `TransportError` with the code `badResponse` for several codings, and for any transfer coding other
    ///   than chunked: libcurl would decode that itself, and without a limit of the size (RFC 9112, section 6.1).
    private static func decoder(for head: HTTPResponse.Head) throws(TransportError) -> ContentDecoder? {
        let contentCodings = head.contentCodings
        let hasOtherTransferCoding = head.headers.values(for: .transferEncoding).contains { value in
            let coding = value.lowercased()
            return coding != "chunked" && coding != "identity"
        }
        if contentCodings.count > 1 || hasOtherTransferCoding {
            throw TransportError(.badResponse, "the body has codings that this engine cannot decode")
        }
        guard let coding = contentCodings.first else { return nil }
        return ContentDecoder(coding)
    }

    // MARK: - The end of the connection

    /// Notes that only the end of the TLS connection will show where the body ends. From now on, the transfer calls
    /// ``noteEndOfConnection(isProper:)`` after each step of libcurl.
    mutating func expectEndOfConnection() {
        bodyEnd = .connection(isProper: true)
    }

    /// Whether ``expectEndOfConnection()`` was called.
    var expectsEndOfConnection: Bool {
        if case .connection = bodyEnd { true } else { false }
    }

    /// Notes whether the alert of TLS, with which a connection ends properly, has arrived by now.
    mutating func noteEndOfConnection(isProper: Bool) {
        bodyEnd = .connection(isProper: isProper)
    }

    // MARK: - The body

    /// What to do with received bytes.
    enum Reception {
        /// They were not taken. libcurl has to pause, and delivers them again when it is resumed.
        case pause
        /// They were taken, and have to be decoded.
        case decode
        /// They were taken, and are to be reported after libcurl has returned.
        case reportSoon
        /// They were taken, and are so many that they are to be reported at once.
        case reportNow
        /// They were taken. A report that was asked for before will include them.
        case none
    }

    /// Receives bytes of the body from libcurl, unless enough bytes wait for a reader who is behind.
    mutating func receive(_ bytes: UnsafeRawBufferPointer, isReaderBehind: Bool) -> Reception {
        if isReaderBehind || hasMuchToDecode {
            delivery = .paused
            return .pause
        }
        receivedCount.addClamping(bytes.count)
        if let decoder {
            decoder.add(bytes)
            return .decode
        }
        let isFirst = unreported.isEmpty
        unreported.add(bytes)
        if unreported.isFull { return .reportNow }
        return isFirst ? .reportSoon : .none
    }

    /// The number of bytes that may wait to be decoded. Above it, libcurl pauses, so that a slow reader slows the
    /// server down.
    private static let encodedLimit = 64 << 10

    private var hasMuchToDecode: Bool {
        guard let decoder else { return false }
        return decoder.input.count >= Self.encodedLimit
    }

    /// Whether bytes wait to be decoded.
    var hasBytesToDecode: Bool {
        guard let decoder else { return false }
        return !decoder.isDrained
    }

    /// The result of a step of decoding.
    struct DecodedStep {
        /// Whether the step has decoded any bytes.
        let hasDecoded: Bool
        /// Whether there is so much to report that it should be done at once.
        let needsReport: Bool
    }

    /// Decodes a part of the bytes that wait to be decoded. The decoded bytes are part of the next report.
    ///
    /// - Parameter buffer: The memory to decode into.
    /// - Returns: Whether anything was decoded, and whether it is to be reported at once.
    /// - Throws: `TransportError` if the body is malformed.
    mutating func decodeStep(
        into buffer: UnsafeMutableBufferPointer<UInt8>
    ) throws(TransportError) -> DecodedStep {
        guard let decoder else { return DecodedStep(hasDecoded: false, needsReport: false) }
        let count = try decoder.decode(into: buffer)
        unreported.add(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]))
        return DecodedStep(hasDecoded: count > 0, needsReport: unreported.isFull)
    }

    // MARK: - The whole response

    /// A whole response, to be reported in one step.
    struct Whole {
        let head: HTTPResponse.Head
        let body: Data
    }

    /// Removes and returns the whole response, if nothing of it was reported before. Called when libcurl has ended it
    /// successfully. Most small responses are whole then.
    mutating func takeWhole() -> Whole? {
        guard hasWholeBody, let head = unreported.takeHead() else { return nil }
        delivery = .ended(nil)
        return Whole(head: head, body: unreported.takeBytes())
    }

    /// Whether `unreported` holds the complete body, of a response that has no trailers and needs no further checks.
    private var hasWholeBody: Bool {
        guard decoder == nil, headReader.framing.isSimple, !headReader.hasTrailers else { return false }
        guard case .known = bodyEnd else { return false }
        guard let length = headReader.framing.length else { return true }
        return length == unreported.byteCount
    }

    // MARK: - What comes next

    /// Whether all of the response has arrived according to its head: it has no body, or as many bytes as it announces.
    /// Other bodies are complete only when libcurl has ended the transfer successfully.
    ///
    /// What happens to the connection or the request afterwards does not matter (RFC 9113, section 8.1).
    var isComplete: Bool {
        guard hasHead, let bodyLength else { return false }
        return receivedCount >= bodyLength
    }

    /// What the transfer has to do next for the response.
    enum Step {
        /// Nothing, before libcurl delivers more or ends the transfer.
        case wait
        /// Decode the bytes that wait for it.
        case decode
        /// Make libcurl deliver more.
        case resumeLibcurl
        /// End the exchange successfully.
        case finish(trailers: HTTPHeaders)
        case fail(Failure)
    }

    /// Returns what to do now that the reader wants more bytes. If libcurl's delivery is paused, counts it as running
    /// again, since the caller then resumes it.
    mutating func nextStep() -> Step {
        if hasBytesToDecode { return .decode }
        switch delivery {
        case .running:
            return .wait
        case .paused:
            delivery = .running
            return .resumeLibcurl
        case .ended(let failure):
            return endOfExchange(failure)
        }
    }

    /// Notes that libcurl has ended the transfer, or that the rest of the request is not sent. This ends the exchange
    /// unless bytes wait to be decoded.
    ///
    /// A response that is complete is a success even if libcurl has failed afterwards: because the server has reset the
    /// stream, for example, or has closed the connection while the request was sent.
    ///
    /// - Parameter failure: The failure that libcurl has reported, nil if there is none.
    /// - Returns: The end of the exchange, or `wait`.
    @inline(never)
    mutating func end(_ failure: Failure?) -> Step {
        let failure = isComplete ? nil : failure ?? failureMissedByLibcurl
        delivery = .ended(failure)
        if hasBytesToDecode { return .wait }
        return endOfExchange(failure)
    }

    /// Why the response is incomplete although libcurl has ended the transfer successfully; nil if it is complete.
    private var failureMissedByLibcurl: Failure? {
        if !headReader.isComplete {
            let error = TransportError(.connectionLost, "the connection was closed within the head")
            return Failure(error: error, isBeforeSending: false)
        }
        if case .connection(isProper: false) = bodyEnd {
            let message = "the connection was closed without the alert of TLS, so the body may be incomplete"
            return Failure(error: TransportError(.connectionLost, message), isBeforeSending: false)
        }
        return nil
    }

    /// Returns how the exchange ends: with the failure of the transfer, or because an encoded body is incomplete, or
    /// with the trailers.
    private func endOfExchange(_ failure: Failure?) -> Step {
        if let failure { return .fail(failure) }
        if let decoder, !decoder.isComplete {
            let error = TransportError(.badResponse, "the body ends before its Content-Encoding says so")
            return .fail(Failure(error: error, isBeforeSending: false))
        }
        return .finish(trailers: headReader.trailers)
    }
}
#endif
