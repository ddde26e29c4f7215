import APIKitCore
import APIKitSupport
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitClients

/// Models that are kept with the body that they were read from.
@Suite(.timeLimit(.minutes(10))) struct CachedModelTests {
    private static let mapped = Recorder<String>()

    /// Maps from the bytes alone, and records it.
    private struct Note: APIResponse, Hashable {
        let text: String

        static func process(data: Data) throws -> Note {
            let text = String(decoding: data, as: UTF8.self)
            CachedModelTests.mapped.append(text)
            if text.hasPrefix("bad") { throw CocoaError(.coderReadCorrupt) }
            return Note(text: text)
        }
    }

    /// Has the model of another type.
    private enum Shouted: APIResponse {
        static func process(data: Data) throws -> Note {
            Note(text: String(decoding: data, as: UTF8.self).uppercased())
        }
    }

    /// Maps from the bytes alone to a model that may be nil.
    private enum Maybe: APIResponse {
        typealias Model = String?

        static func process(data: Data) throws -> String? {
            CachedModelTests.mapped.append("maybe")
            return data.isEmpty ? nil : String(decoding: data, as: UTF8.self)
        }
    }

    /// Sees the headers.
    private struct Titled: APIResponse, Hashable {
        let title: String?
        static func process(data: Data) throws -> Titled { Titled(title: nil) }
        static func process(response: HTTPResponse) async throws -> Titled {
            Titled(title: response.head.headers["X-Title"])
        }
    }

    /// Adds to what its response type reads.
    private struct LoudRequest: DirectoryRequest {
        typealias Response = Note
        var path: URLPath { "loud" }

        func process(_ response: HTTPResponse) async throws -> Note {
            var response = response
            response.body = ResponseBody((response.body.data ?? Data()) + Data("!".utf8))
            return try await Note.process(response: response)
        }
    }

    /// How often a text was mapped.
    private func count(_ text: String) -> Int { Self.mapped.values.count { $0 == text } }

    private func server(
        _ text: String, _ headers: HTTPHeaders = [:], cache: ResponseCache = ResponseCache(bytes: 1 << 20)
    ) -> CachedServer {
        var first = HTTPResponse.of(text, headers)
        first.head.headers.addMissing(from: [.cacheControl: "max-age=10", .eTag: "\"1\""])
        return CachedServer(first, .of("", ["X-Title": "new", .cacheControl: "max-age=10"], status: 304), cache: cache)
    }

    @Test func hitsAndConfirmedResponsesAreMappedOnce() async throws {
        let server = server("once")
        for seconds in [0.0, 1, 20, 1, 20] {
            server.pass(seconds)
            #expect(try await note(from: server) == Note(text: "once"))
        }
        #expect(server.requests.count == 3)
        #expect(count("once") == 1)
    }

    private func note(from server: CachedServer) async throws -> Note {
        try await server.client.send(Endpoint<Note, Data>())
    }

    @Test func modelsAreKeptByResponseType() async throws {
        let server = server("types")
        #expect(try await note(from: server) == Note(text: "types"))
        #expect(try await server.client.send(Endpoint<NilIfNotFound<Note>, Data>()) == Note(text: "types"))
        #expect(try await server.client.send(Endpoint<Data, Data>()) == Data("types".utf8))
        #expect(try await server.client.send(Endpoint<Shouted, Data>()) == Note(text: "TYPES"))
        #expect(try await note(from: server) == Note(text: "types"))
        #expect(server.requests.count == 1)
        #expect(count("types") == 1)
    }

    @Test func missingModelIsNotNil() async throws {
        for (server, model) in [(self.server("text"), "text"), (self.server(""), nil)] {
            for _ in 0..<2 { #expect(try await server.client.send(Endpoint<Maybe, Data>()) == model) }
        }
        #expect(count("maybe") == 2)
    }

    @Test func typesThatSeeTheHeadersAreMappedAnew() async throws {
        let server = server("titled", ["X-Title": "old"])
        #expect(try await server.client.send(Endpoint<Titled, Data>()).title == "old")
        server.pass(20)
        #expect(try await server.client.send(Endpoint<Titled, Data>()).title == "new")
    }

    @Test func changedBodyLeavesItsModelsBehind() async throws {
        let server = server("calm")
        for _ in 0..<2 { #expect(try await server.client.send(LoudRequest()).text == "calm!") }
        #expect(count("calm!") == 2)
    }

    @Test func failuresOfMappingAreNotKept() async throws {
        let server = server("bad")
        for _ in 0..<2 { #expect(try await server.client.failure(of: Endpoint<Note, Data>()).unreadable != nil) }
        #expect(count("bad") == 2)
    }

    @Test func failureModelsAreKeptToo() async throws {
        let server = CachedServer(.of("refused", [.cacheControl: "max-age=10"], status: 404))
        for _ in 0..<2 {
            let error = try await server.client.failure(of: Endpoint<Data, Note>())
            #expect(error.rejection?.failure == Note(text: "refused"))
        }
        #expect(count("refused") == 1)
    }

    @Test func aSettingTurnsThisOff() async throws {
        let server = server("off", cache: ResponseCache(bytes: 1 << 20, keepsModels: false))
        for _ in 0..<3 { _ = try await note(from: server) }
        #expect(server.requests.count == 1)
        #expect(count("off") == 3)
    }

    @Test func modelIsReleasedWithItsResponse() async throws {
        final class Model: APIResponse { static func process(data: Data) throws -> Model { Model() } }
        let server = server("released")
        weak var model: Model?
        model = try await server.client.send(Endpoint<Model, Data>())
        #expect(model != nil)
        server.cache.removeAll()
        #expect(model == nil)
    }

    @Test func releasedModelMayUseTheCache() async throws {
        final class Model: APIResponse {
            let cache = Locked<ResponseCache?>(nil)
            static func process(data: Data) throws -> Model { Model() }
            deinit { _ = cache.withLock { $0 }?.size }
        }
        let server = server("reentrant")
        let cache = server.cache
        try await server.client.send(Endpoint<Model, Data>()).cache.withLock { $0 = cache }
        cache.removeAll()
        #expect(cache.size == 0)
    }
}
