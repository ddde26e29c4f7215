#if os(Linux)
import APIKitCore
import Foundation
import Testing

@testable import APIKitCurl

/// What a response decides for what libcurl delivers.
@Suite struct CurlResponseTests {
    private static let gzipOfHello = Data(base64Encoded: "H4sIAAAAAAAC/8tIzcnJV8hAkACAiPnlEQAAAA==") ?? Data()

    /// Returns a response whose head has arrived.
    private func response(
        _ fields: String..., status: Int = 200, to method: HTTPMethod = .get
    ) throws -> CurlResponse {
        var response = CurlResponse(to: method, keepsCookies: false)
        for line in ["HTTP/1.1 \(status) OK"] + fields + [""] {
            let head = try Data("\(line)\r\n".utf8).withUnsafeBytes { line in
                Result { try response.read(line: line) }
            }.get()
            guard let head else { continue }
            let url = try #require(URL(string: "https://example.com/"))
            try response.begin(with: HTTPResponse.Head(status: head.status, headers: head.headers, url: url))
        }
        return response
    }

    private func receive(
        _ data: Data, by response: inout CurlResponse, isReaderBehind: Bool = false
    ) -> CurlResponse.Reception {
        data.withUnsafeBytes { response.receive($0, isReaderBehind: isReaderBehind) }
    }

    private func expect(_ wanted: CurlResponse.Reception, _ reception: CurlResponse.Reception) {
        #expect(reception == wanted)
    }

    private func code(of step: CurlResponse.Step) -> TransportError.Code? {
        if case .fail(let failure) = step { failure.error.code } else { nil }
    }

    private func isFinish(_ step: CurlResponse.Step) -> Bool {
        if case .finish = step { true } else { false }
    }

    // MARK: - Reports

    @Test(arguments: ["Content-Length: 5", "Transfer-Encoding: chunked", "Accept: a"])
    func smallResponseIsReportedAsAWhole(field: String) throws {
        var response = try response(field)
        expect(.none, receive(Data("hello".utf8), by: &response))
        let taken = response.takeWhole()
        let whole = try #require(taken)
        #expect(whole.head.status == 200)
        #expect(whole.body == Data("hello".utf8))
        #expect(response.unreported.isEmpty)
    }

    @Test func responseWithAReportedHeadIsNotWhole() throws {
        var response = try response("Content-Length: 5")
        _ = response.unreported.takeHead()
        expect(.reportSoon, receive(Data("hello".utf8), by: &response))
        let whole = response.takeWhole()
        #expect(whole == nil)
        let bytes = response.unreported.takeBytes()
        #expect(bytes == Data("hello".utf8))
        let step = response.end(nil)
        #expect(isFinish(step))
    }

    @Test func incompleteResponseIsNotWhole() throws {
        var response = try response("Content-Length: 5")
        expect(.none, receive(Data("hell".utf8), by: &response))
        let whole = response.takeWhole()
        #expect(whole == nil)
    }

    @Test func manyBytesAreReportedAtOnce() throws {
        var response = try response("Accept: a")
        _ = response.unreported.takeHead()
        var receptions: [CurlResponse.Reception] = []
        for _ in 0..<17 { receptions.append(receive(Data(count: 16 << 10), by: &response)) }
        #expect(receptions == [.reportSoon] + Array(repeating: .none, count: 14) + [.reportNow, .reportNow])
        let bytes = response.unreported.takeBytes()
        #expect(bytes.count == 17 << 14)
        expect(.reportSoon, receive(Data(count: 1), by: &response))
    }

    // MARK: - Pauses and the end

    @Test func slowReaderPausesLibcurlUntilItCatchesUp() throws {
        var response = try response("Content-Length: 5")
        expect(.pause, receive(Data("hello".utf8), by: &response, isReaderBehind: true))
        guard case .resumeLibcurl = response.nextStep() else { throw TestFailure() }
        guard case .wait = response.nextStep() else { throw TestFailure() }
        expect(.none, receive(Data("hello".utf8), by: &response))
    }

    @Test func exchangeEndsAfterAllBytesAreDecoded() throws {
        var response = try response("Content-Encoding: gzip")
        expect(.decode, receive(Self.gzipOfHello, by: &response))
        guard case .wait = response.end(nil) else { throw TestFailure() }
        guard case .decode = response.nextStep() else { throw TestFailure() }
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: ContentDecoder.stepSize)
        defer { buffer.deallocate() }
        let decoded = try response.decodeStep(into: buffer)
        #expect(decoded.hasDecoded)
        let last = response.nextStep()
        #expect(isFinish(last))
        let bytes = response.unreported.takeBytes()
        #expect(bytes == Data("hello hello hello".utf8))
    }

    @Test func encodedBodyThatEndsEarlyIsABadResponse() throws {
        var response = try response("Content-Encoding: gzip")
        expect(.decode, receive(Self.gzipOfHello.dropLast(9), by: &response))
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: ContentDecoder.stepSize)
        defer { buffer.deallocate() }
        _ = try response.decodeStep(into: buffer)
        let step = response.end(nil)
        #expect(code(of: step) == .badResponse)
    }

    @Test func endWithinTheHeadIsALostConnection() {
        var response = CurlResponse(to: .get, keepsCookies: false)
        let step = response.end(nil)
        #expect(code(of: step) == .connectionLost)
    }

    // RFC 9112, section 9.8.
    @Test(arguments: [false, true]) func endOfTheConnectionNeedsAnAlert(hasAlert: Bool) throws {
        var response = try response("Connection: close")
        response.expectEndOfConnection()
        response.noteEndOfConnection(isProper: hasAlert)
        let whole = response.takeWhole()
        #expect(whole == nil)
        let step = response.end(nil)
        #expect(code(of: step) == (hasAlert ? nil : .connectionLost))
    }

    // RFC 9113, section 8.1.
    @Test(
        arguments: [
            (200, .put, "Content-Length: 5", 5, true), (413, .put, "Content-Length: 5", 5, true),
            (200, .put, "Content-Length: 5", 4, false), (200, .put, "Content-Length: 0", 0, true),
            (204, .put, "A: b", 0, true), (304, .get, "Content-Length: 5", 0, true),
            (200, .head, "Content-Length: 5", 0, true), (200, .put, "A: b", 5, false),
            (200, .put, "Transfer-Encoding: chunked", 5, false), (200, .put, "Content-Length: 5, 5", 5, true),
            (200, .put, "Content-Length: 5, 6", 5, false),
        ] as [(Int, HTTPMethod, String, Int, Bool)])
    func completeResponseIsASuccessWhateverFailsAfterwards(
        _ head: (status: Int, method: HTTPMethod, field: String, count: Int, isComplete: Bool)
    ) throws {
        var response = try response(head.field, status: head.status, to: head.method)
        _ = response.unreported.takeHead()
        if head.count > 0 { _ = receive(Data(count: head.count), by: &response) }
        #expect(response.isComplete == head.isComplete)
        let failure = CurlResponse.Failure(error: TransportError(.connectionLost, "reset"), isBeforeSending: false)
        let step = response.end(failure)
        #expect(isFinish(step) == head.isComplete)
        #expect(code(of: step) == (head.isComplete ? nil : .connectionLost))
    }

    @Test(arguments: [0, 9]) func encodedBodyIsCompleteByItsEncodedLength(missing: Int) throws {
        let encoded = Self.gzipOfHello.dropLast(missing)
        var response = try response("Content-Encoding: gzip", "Content-Length: \(Self.gzipOfHello.count)")
        expect(.decode, receive(encoded, by: &response))
        #expect(response.isComplete == (missing == 0))
        let failure = CurlResponse.Failure(error: TransportError(.connectionLost, "reset"), isBeforeSending: false)
        guard case .wait = response.end(failure) else { throw TestFailure() }
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: ContentDecoder.stepSize)
        defer { buffer.deallocate() }
        _ = try response.decodeStep(into: buffer)
        let step = response.nextStep()
        #expect(code(of: step) == (missing == 0 ? nil : .connectionLost))
    }

    @Test func failureOfLibcurlComesBeforeAllOthers() {
        var response = CurlResponse(to: .get, keepsCookies: false)
        let failure = CurlResponse.Failure(error: TransportError(.timedOut, "late"), isBeforeSending: true)
        let step = response.end(failure)
        #expect(code(of: step) == .timedOut)
    }
}

private struct TestFailure: Error {
    // MARK: - Errors

    /// libcurl's own message is about a callback of this library.
    @Test func errorOfAnAbortedRequestSaysWhatHappened() {
        let error = TransportError(curl: 42, "operation aborted by pre-request callback", hasResponse: false)
        #expect(error.code == .connectionLost)
        #expect(error.message == "the connection could no longer be used, and the request is not sent a second time")
    }
}
#endif
