import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitStreams

// How one version of a file is told from another: RFC 9110, sections 8.8.1, 8.8.2.2 and 15.3.7.3.
extension ResumableDownloadTests {
    private static let date = "Sat, 21 Nov 2026 10:00:00 GMT"
    private static let earlier = "Sat, 21 Nov 2026 09:00:00 GMT"

    @Test func usesDateThatIsOlderThanResponse() async throws {
        try await breakOff([.lastModified: Self.earlier, .date: Self.date])
        let headers: HTTPHeaders = [.contentRange: "bytes 5-9/10", .lastModified: Self.earlier]
        let (sent, _, file) = try await attempt(answer(206, headers, "56789"))
        #expect(sent[.ifRange] == Self.earlier)
        try expectWhole(file)
    }

    @Test(
        arguments: [
            [:], [.eTag: "W/\"1\""], [.eTag: "1"], [.eTag: ""], [.eTag: "\""], [.eTag: "\"1\", \"2\""],
            [.lastModified: date, .date: date], [.lastModified: earlier], [.eTag: "\"1\"", .contentEncoding: "gzip"],
            [.eTag: "W/\"1\"", .lastModified: earlier, .date: date],
            // A date is strong if it is a minute older than the response (RFC 9110, section 8.8.2.2).
            [.lastModified: "Sat, 21 Nov 2026 09:59:01 GMT", .date: date],
            [.lastModified: "Sat, 21 Nov 2026 10:00:01 GMT", .date: date],
            // The time of the response in another of the three formats.
            [.lastModified: "Saturday, 21-Nov-26 10:00:00 GMT", .date: date],
            [.lastModified: "yesterday", .date: date],
        ] as [HTTPHeaders])
    func requestsNoRangeWithoutStrongValidator(headers: HTTPHeaders) async throws {
        try await breakOff(headers)
        #expect(try folder.names.isEmpty)
        #expect(download.headers == [.acceptEncoding: "identity"])
    }

    @Test(
        arguments: [
            ("Sat, 21 Nov 2026 10:00:00", "Sat, 21 Nov 2026 10:01:00", true),
            ("Sat, 28 Feb 2026 23:59:30", "Sun, 01 Mar 2026 00:00:29", false),
            ("Sat, 28 Feb 2026 23:59:30", "Sun, 01 Mar 2026 00:00:30", true),
        ] as [(String, String, Bool)])
    func dateIsStrongAfterMinute(modified: String, now: String, isStrong: Bool)
        async throws
    {
        try await breakOff([.lastModified: "\(modified) GMT", .date: "\(now) GMT"])
        #expect((download.resumeOffset > 0) == isStrong)
    }

    /// The headers of a response that breaks, and the next one.
    struct Pair: Sendable {
        let first, next: HTTPHeaders
        var range = "5-9/10"
        var text = "56789"
    }

    private static let old: HTTPHeaders = [.lastModified: earlier, .date: date]
    private static let older = "Sat, 21 Nov 2026 08:00:00 GMT"
    private static let tag: HTTPHeaders = [.eTag: "\"1\""]
    private static let tagAndTotal: HTTPHeaders = [.eTag: "\"1\"", .contentLength: "10"]
    private static let dateAndTotal: HTTPHeaders = [.lastModified: earlier, .date: date, .contentLength: "10"]

    @Test(arguments: [
        Pair(first: old, next: old), Pair(first: old, next: [.lastModified: earlier]),
        Pair(first: [.eTag: "\"1\"", .lastModified: earlier], next: [.eTag: "\"1\""]),
        Pair(first: [.eTag: "\"1\"", .lastModified: earlier], next: [.eTag: "\"1\"", .lastModified: older]),
        // A range need not repeat a date if the total is the same (RFC 9110, section 15.3.7).
        Pair(first: dateAndTotal, next: [:]),
        // The total is recorded.
        Pair(first: tagAndTotal, next: tag, range: "5-9/*"),
    ]) func resumesWithSameValidator(pair: Pair) async throws {
        try await breakOff(pair.first)
        try expectWhole(try await attempt(answer(206, pair.next.with(range: "bytes \(pair.range)"), pair.text)).file)
    }

    // Servers that ignore If-Range send a range of the current version.
    @Test(arguments: [
        Pair(first: old, next: [.lastModified: older, .date: date]), Pair(first: old, next: [.lastModified: date]),
        Pair(first: old, next: [.eTag: "\"1\"", .lastModified: earlier]), Pair(first: old, next: [:]),
        Pair(first: tag, next: [:]), Pair(first: tag, next: [.lastModified: earlier]),
        Pair(first: tag, next: [.eTag: "\"2\""]),
        Pair(first: [.eTag: "\"\u{E9}\""], next: [.eTag: "\"e\u{301}\""]),
        Pair(first: [.eTag: "\"1\"", .lastModified: earlier], next: [.eTag: "\"2\"", .lastModified: earlier]),
        // Only a date may be missing, and only if the total is the same.
        Pair(first: tagAndTotal, next: [:]),
        Pair(first: [.eTag: "\"1\"", .lastModified: earlier, .date: date, .contentLength: "10"], next: [:]),
        Pair(first: dateAndTotal, next: [:], range: "5-9/*"), Pair(first: dateAndTotal, next: [:], range: "5-9/11"),
        // Another total.
        Pair(first: tagAndTotal, next: tag, range: "5-6/7", text: "56"),
        Pair(first: tagAndTotal, next: tag, range: "5-9/11"), Pair(first: tagAndTotal, next: tag, range: "5-9/9"),
        Pair(first: tagAndTotal, next: tag, range: "5-10/*", text: "56789x"),
    ]) func rangeOfAnotherVersionStartsOver(pair: Pair) async throws {
        try await breakOff(pair.first)
        try await expectStartOver(after: answer(206, pair.next.with(range: "bytes \(pair.range)"), pair.text))
    }

    @Test(arguments: [
        Pair(first: old, next: [.lastModified: older]), Pair(first: old, next: [.eTag: "\"1\""]),
        Pair(first: tag, next: [.eTag: "\"2\""]),
    ]) func status416OfAnotherVersionStartsOver(pair: Pair) async throws {
        var first = pair.first
        first[.contentLength] = "10"
        try await attempt(answer(200, first, Self.film, isBroken: true))
        try await expectStartOver(after: answer(416, pair.next.with(range: "bytes */10"), ""))
    }

    // MARK: - The URL

    @Test func partOfAnotherURLStartsOver() async throws {
        try await attempt(answer(200, Self.old, "01234", isBroken: true), path: "v1")
        let other = answer(206, Self.old.with(range: "bytes 5-9/10"), "vwxyz")
        #expect(try await attempt(other, path: "v2").error?.code == .badResponse)
        #expect(try folder.names.isEmpty)
    }

    @Test(
        arguments: [("https://a.example/1", true), ("https://a.example/1#x", true), ("https://a.example/2", false)]
            as [(String, Bool)])
    func comparesFinalURL(target: String, isSame: Bool) async throws {
        func redirect(to url: String) -> HTTPResponse { .status(302, headers: [.location: url]) }
        let start = answer(200, [.eTag: "\"1\""], "01234", isBroken: true)
        try await attempt(redirect(to: "https://a.example/1"), start)
        let (_, error, file) = try await attempt(redirect(to: target), partial("5-9/10", "56789"))
        #expect(error?.code == (isSame ? nil : .badResponse))
        if isSame { try expectWhole(file) }
    }

    // MARK: - The total

    @Test func recordsTotalOfRange() async throws {
        try await breakOff()
        try await attempt(partial("5-9/10", "56", isBroken: true))
        try await expectStartOver(after: partial("7-8/9", "78"))
    }

    @Test(arguments: ["\"1\"", nil]) func status416AtOtherTotalStartsOver(tag: String?) async throws {
        try await attempt(answer(200, [.eTag: "\"1\"", .contentLength: "20"], Self.film, isBroken: true))
        try await expectStartOver(after: answer(416, [.contentRange: "bytes */10", .eTag: tag], ""))
    }

    @Test func shortBodyIsNotComplete() async throws {
        let short = answer(200, [.eTag: "\"1\"", .contentLength: "10"], "01234")
        #expect(try await attempt(short).error?.code == .connectionLost)
        try expectWhole(try await attempt(partial("5-9/10", "56789")).file)
    }

    // A Content-Length beside a Transfer-Encoding is ignored (RFC 9112, section 6.3).
    @Test(
        arguments: [
            [.contentEncoding: "gzip", .contentLength: "4"],
            [.eTag: "\"1\"", .contentLength: "4", .transferEncoding: "chunked"],
        ] as [HTTPHeaders])
    func lengthOfEncodedBodyIsNotTotal(headers: HTTPHeaders) async throws {
        try expectWhole(try await attempt(answer(200, headers, Self.film)).file)
    }

    @Test(arguments: [200, 206]) func readsNothingPastLength(status: Int) async throws {
        if status == 206 { try await breakOff() }
        let taken = Recorder<Int>()
        let chunks = Chunks(chunks: Array(repeating: Data("x".utf8), count: 1_000)).map { chunk in
            taken.append(chunk.count)
            return chunk
        }
        let headers: HTTPHeaders = [.eTag: "\"1\"", .contentLength: "5", .contentRange: "bytes 5-9/10"]
        let head = HTTPResponse.Head(status: status, headers: headers, url: WireProbe.root)
        let (_, error, _) = try await attempt(HTTPResponse(head: head, body: ResponseBody(ByteStream(chunks))))
        #expect(error?.code == .badResponse)
        #expect(taken.values.count == 6)
        #expect(try folder.names.isEmpty)
    }
}

extension HTTPHeaders {
    /// These headers and a `Content-Range`.
    fileprivate func with(range: String) -> HTTPHeaders {
        var headers = self
        headers[.contentRange] = range
        return headers
    }
}
