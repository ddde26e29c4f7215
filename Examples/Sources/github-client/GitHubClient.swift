// What a real app puts around its session: a token that expires, retries, a limit, a cache, and a log.
//
//     swift run --package-path Examples github-client
//     swift run --package-path Examples github-client --quiet
//
// Its server gives tokens for ten requests, fails every fifth request, meets each eighth with a rate limit, and sends
// validators. The endpoints are in Sources/GitHub, and know nothing of all this.

import APIKit
import ArgumentParser
import EmbeddedServer
import ExampleSupport
import GitHub

@main
struct GitHubClient: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "github-client",
        abstract: "Lists users of GitHub over an unreliable server, and shows what the clients in between have saved."
    )

    @Flag(help: "Do not print the attempts.")
    var quiet = false

    func run() async throws {
        try await EmbeddedServer.run(.strictGitHub) { server in
            let (calls, attempts) = (Tally(), Tally())
            let tokens = Tokens(server: server)
            let client = URLSession.api
                .based(at: APIBase(server))
                .observed(attempts.add)
                .logged { [quiet] line in if !quiet { print(line) } }
                .limited(concurrent: 4)
                .authorized(by: tokens, for: "https://api.github.com")
                .retrying(.backoff(attempts: 6, initialDelay: .milliseconds(50)))
                // Outside of the tokens, since all of them are one user's: what is stored outlives them.
                .cached(in: ResponseCache(bytes: 1 << 20))
                .coalesced()
                .observed(calls.add)
            try await useLikeAnApp(client)
            await show(calls.events(), attempts.events(), tokensFetched: tokens.count)
        }
    }

    /// Three screens, one after another; on each of them, two views ask for the same users.
    private func useLikeAnApp(_ client: some APIClient) async throws {
        for _ in 1...3 {
            try await withThrowingTaskGroup { views in
                for _ in 1...2 {
                    views.addTask {
                        for user in try await client.users().prefix(6) { _ = try await client.user(user.login) }
                    }
                }
                try await views.waitForAll()
            }
        }
    }

    private func show(_ calls: [RequestEvent], _ attempts: [RequestEvent], tokensFetched: Int) {
        func count(_ status: Int) -> Int {
            attempts.count { (try? $0.result.get())?.head.status == status }
        }
        let rows = [
            ("calls of the app", calls.count),
            ("requests to the server", attempts.count),
            ("  not modified (304)", count(304)),
            ("  refused for their token (401)", count(401)),
            ("  refused by the rate limit (429)", count(429)),
            ("  failed (503)", count(503)),
            ("tokens fetched", tokensFetched),
        ]
        print()
        for (name, count) in rows {
            print("\(name.padding(toLength: 36, withPad: " ", startingAt: 0))\(count)")
        }
    }
}

/// Where the tokens come from: an actor, so that it keeps the newest one.
actor Tokens: CredentialSource {
    private struct TokenRequest: APIRequest {
        struct Response: JSONResponse {
            let token: String
            enum CodingKeys: String, CodingKey { case token = "access_token" }
        }
        let server: URL
        var base: APIBase { APIBase(server) }
        var path: URLPath { "token" }
        var method: HTTPMethod { .post }
    }

    private let server: URL
    private var current = Credential.bearer("none yet", expires: .distantPast)
    private(set) var count = 0

    init(server: URL) {
        self.server = server
    }

    func credential() -> Credential? {
        current
    }

    func replacement(for refused: Credential) async throws -> Credential? {
        current = .bearer(try await URLSession.api.send(TokenRequest(server: server)).token)
        count += 1
        return current
    }
}

/// Collects events.
struct Tally {
    private let stream = AsyncStream.makeStream(of: RequestEvent.self)

    @Sendable func add(_ event: RequestEvent) {
        stream.continuation.yield(event)
    }

    /// All events so far; no more are collected.
    func events() async -> [RequestEvent] {
        stream.continuation.finish()
        return await stream.stream.reduce(into: []) { $0.append($1) }
    }
}
