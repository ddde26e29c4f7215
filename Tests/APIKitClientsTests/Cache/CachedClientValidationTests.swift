import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitClients

/// Validation (RFC 9111, sections 4.3 and 3.2) and errors (RFC 5861).
@Suite struct CachedClientValidationTests {
    private let stale = "max-age=0"
    private let tagged = HTTPResponse.of("one", [.eTag: "\"1\"", .cacheControl: "max-age=0"])

    @Test func section4_3_1BothValidatorsAreSent() async throws {
        let headers: HTTPHeaders = [.eTag: "W/\"1\"", .lastModified: Date.http(-9), .cacheControl: stale]
        let server = try await CachedServer.filled(by: .of("one", headers), .of("", status: 304))
        #expect(try await server.get(after: 1).source == .revalidated)
        #expect(server.requests.last?.headers == [.ifNoneMatch: "W/\"1\"", .ifModifiedSince: Date.http(-9)])
    }

    @Test(arguments: [[:], [.eTag: "a\nb"], [.lastModified: ""]] as [HTTPHeaders])
    func responsesWithoutUsableValidatorsAreFetchedAgain(headers: HTTPHeaders) async throws {
        var first = HTTPResponse.of("one", headers)
        first.head.headers[.cacheControl] = stale
        let server = try await CachedServer.filled(by: first, .of("two"))
        #expect(try await server.get().text == "two")
        #expect(server.requests.last?.headers.isEmpty == true)
    }

    @Test(arguments: [200, 404]) func section4_3_3AFullResponseReplacesTheStoredOne(status: Int) async throws {
        let second = HTTPResponse.of("two", [.eTag: "\"2\"", .cacheControl: "max-age=9"], status: status)
        let server = try await CachedServer.filled(by: tagged, second, .of("three"))
        #expect(try await server.get(after: 1).source == .network)
        #expect(try await server.get().text == "two")
    }

    @Test func section4_3_4A304RefreshesTheStoredResponse() async throws {
        let first: HTTPHeaders = [
            .eTag: "\"1\"", .cacheControl: "max-age=5", .date: Date.http(), .age: "1", "X-Kept": "1", "X-Old": "1",
            .contentLength: "3",
        ]
        let newer: HTTPHeaders = [
            .eTag: "\"1\"", .cacheControl: "max-age=20", .date: Date.http(100), "X-Old": "2", "X-New": "3",
            .contentLength: "0", .contentEncoding: "gzip", "Connection": "close",
        ]
        let server = try await CachedServer.filled(by: .of("one", first), .of("", newer, status: 304))
        let second = try await server.get(after: 100)
        #expect(second.source == .revalidated)
        #expect(second.head.status == 200)
        #expect(second.text == "one")
        let expected: HTTPHeaders = [
            "X-Kept": "1", .contentLength: "3", .eTag: "\"1\"", .cacheControl: "max-age=20", .date: Date.http(100),
            "X-Old": "2", "X-New": "3",
        ]
        #expect(second.head.headers == expected)
        let third = try await server.get(after: 19)
        #expect(third.source == .cache)
        #expect(third.head.headers[.age] == "19")
        #expect(third.head.headers["X-New"] == "3")
        try await server.get(after: 1)
        #expect(server.requests.count == 3)
    }

    @Test func a304WithoutDateIsAsNewAsItsArrival() async throws {
        let server = try await CachedServer.filled(
            by: .of("one", [.eTag: "\"1\"", .cacheControl: "max-age=5", .date: Date.http(), .age: "4"]),
            .of("", status: 304))
        try await server.get(after: 100)
        #expect(try await server.get(after: 4).head.headers[.age] == "4")
        #expect(server.requests.count == 2)
    }

    @Test(
        arguments: [
            ([.eTag: "\"1\""], [.eTag: "\"2\""], false), ([.eTag: "\"1\""], [.eTag: "W/\"1\""], true),
            ([.eTag: "W/\"1\""], [.eTag: "\"1\""], true), ([.eTag: "\"\u{E9}\""], [.eTag: "\"e\u{301}\""], false),
            // The date decides unless there is a tag.
            ([.lastModified: Date.http(-9)], [.lastModified: Date.http(-9)], true),
            ([.lastModified: Date.http(-9)], [.lastModified: Date.http(-5)], false),
            ([.lastModified: Date.http(-5)], [.lastModified: Date.http(-9)], false),
            ([.lastModified: Date.http(-9)], [:], true), ([.eTag: "W/\"1\""], [.lastModified: Date.http(-9)], false),
            ([.eTag: "\"1\"", .lastModified: Date.http(-9)], [.eTag: "\"1\"", .lastModified: Date.http(-5)], true),
        ] as [(HTTPHeaders, HTTPHeaders, Bool)])
    func section4_3_4A304OfAnotherVersionIsNotUsed(
        stored: HTTPHeaders, confirmed: HTTPHeaders, isUsed: Bool
    ) async throws {
        var first = HTTPResponse.of("one", stored)
        first.head.headers[.cacheControl] = stale
        let server = try await CachedServer.filled(by: first, .of("", confirmed, status: 304), .of("two"))
        #expect(try await server.get(after: 1).text == (isUsed ? "one" : "two"))
        #expect(server.requests.last?.headers[.ifNoneMatch] == (isUsed ? stored[.eTag] : nil))
        #expect(server.requests.count == (isUsed ? 2 : 3))
    }

    @Test(arguments: [200, 304]) func noStoreRemovesTheStoredResponse(status: Int) async throws {
        let server = try await CachedServer.filled(by: tagged, .of("one", [.cacheControl: "no-store"], status: status))
        #expect(try await server.get(after: 1).text == "one")
        #expect(server.cache.size == 0)
    }

    @Test func a304ThatNobodyAskedForIsPassedOn() async throws {
        let server = try await CachedServer.filled(by: .of("one", [.cacheControl: stale]), .of("", status: 304))
        #expect(try await server.get().head.status == 304)
    }

    @Test(arguments: [401, 404, 429, 500]) func errorsThatAreNotStoredLeaveTheStoredResponse(status: Int) async throws {
        let server = try await CachedServer.filled(by: tagged, .of("", [.cacheControl: "no-store"], status: status))
        #expect(try await server.get(after: 1).head.status == status)
        try await server.get(after: 1)
        #expect(server.requests.last?.headers[.ifNoneMatch] == "\"1\"")
    }

    private let allowed = HTTPResponse.of("one", [.cacheControl: "max-age=1, stale-if-error=60"])

    @Test(arguments: [500, 502, 503, 504]) func rfc5861StaleResponsesReplaceErrors(status: Int) async throws {
        let server = try await CachedServer.filled(by: allowed, .of("sorry", status: status))
        let second = try await server.get(after: 50)
        #expect(second.text == "one")
        #expect(second.source == .cache)
        #expect(second.head.headers[.age] == "50")
        #expect(try await server.get(after: 50).head.status == status)
        #expect(try await server.get([.cacheControl: "stale-if-error=600"]).text == "one")
    }

    @Test func rfc5861AnOutdatedResponseReplacesNoError() async throws {
        let server = try await CachedServer.filled(
            by: .of("one", [.eTag: "\"1\"", .cacheControl: "stale-if-error=60"]),
            .of("", [.eTag: "\"2\""], status: 304), .of("sorry", status: 503))
        #expect(try await server.get().head.status == 503)
    }

    @Test(arguments: [400, 404, 429, 501, 505]) func rfc5861OtherStatusesAreNoErrors(status: Int) async throws {
        let server = try await CachedServer.filled(by: allowed, .of("sorry", status: status))
        #expect(try await server.get(after: 50).head.status == status)
    }

    @Test(arguments: [
        TransportError.Code.cannotConnect, .nameNotResolved, .timedOut, .connectionLost, .secureConnectionFailed,
        .badResponse,
    ]) func rfc5861StaleResponsesReplaceFailures(code: TransportError.Code) async throws {
        let server = CachedServer([.success(allowed), .failure(TransportError(code))])
        try await server.get()
        #expect(try await server.get(after: 50).text == "one")
        await #expect(throws: TransportError.self) { try await server.get([.cacheControl: "no-cache"]) }
        await #expect(throws: TransportError.self) { try await server.get(after: 50) }
    }

    @Test(
        arguments: [TransportError(.unsupported), TransportError(.bodyTooLarge), CocoaError(.featureUnsupported)]
            as [any Error])
    func otherErrorsAreThrown(error: any Error) async throws {
        let server = CachedServer([.success(allowed), .failure(error)])
        try await server.get()
        await #expect(throws: (any Error).self) { try await server.get(after: 50) }
    }

    @Test(.timeLimit(.minutes(10))) func cancelIsNotAnError() async throws {
        let hanging = HangingClient { throw TransportError(.connectionLost) }
        let cache = ResponseCache(bytes: 1 << 20)
        let request = HTTPRequest(url: URL(string: "https://api.example.com/things")!)
        let first = HTTPResponse.of("one", [.cacheControl: "max-age=0, stale-if-error=600"])
        _ = try await ScriptedClient(first).cached(in: cache).perform(request)
        let task = Task { try await hanging.cached(in: cache).perform(request) }
        _ = await hanging.arrival()
        task.cancel()
        await #expect(throws: TransportError.self) { try await task.value }
    }
}
