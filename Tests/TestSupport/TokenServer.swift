package import APIKitClients
package import APIKitCore
package import APIKitSupport
import APIKitTesting
import Foundation
import Testing

/// Accepts one token, and records all that arrive.
package final class TokenServer: APIClient {
    package var clock: any Clock<Duration> { ContinuousClock() }
    private let valid: String
    private let refusing: @Sendable (Int) async -> Void
    private let log = Recorder<String?>()

    /// Creates a server, which calls a closure with the number of requests so far before each 401.
    package init(valid: String, refusing: @escaping @Sendable (Int) async -> Void = { _ in }) {
        self.valid = valid
        self.refusing = refusing
    }

    /// The tokens of all requests, nil for one without.
    package var tokens: [String?] { log.values }

    package func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        let token = request.headers[.authorization].map { String($0.dropFirst("Bearer ".count)) }
        let count = log.append(token)
        if token == valid { return .json("[]") }
        await refusing(count)
        return .status(401)
    }
}

/// Holds a credential, and replaces it as a closure says.
package final class TokenSource: CredentialSource {
    private let current: Locked<Credential?>
    private let log = Recorder<Credential>()
    private let keeps: Bool
    package typealias Replace = @Sendable (Credential) async throws -> Credential?
    package let replace: Locked<Replace>

    package init(_ credential: Credential, keeps: Bool = true, replace: @escaping Replace = { _ in nil }) {
        current = Locked(credential)
        self.keeps = keeps
        self.replace = Locked(replace)
    }

    package convenience init(_ token: String, keeps: Bool = true, replace: @escaping Replace = { _ in nil }) {
        self.init(.bearer(token), keeps: keeps, replace: replace)
    }

    /// The credentials that were to be replaced.
    package var refused: [Credential] { log.values }
    package func set(_ credential: Credential?) { current.withLock { $0 = credential } }
    package func credential() async -> Credential? { current.withLock { $0 } }

    package func replacement(for refused: Credential) async throws -> Credential? {
        log.append(refused)
        let next = try await replace.withLock { $0 }(refused)
        if keeps, let next { set(next) }
        return next
    }
}

/// Counts from 1.
package final class Counter: Sendable {
    private let count = Locked(0)

    package init() {}

    package var value: Int { count.withLock { $0 } }

    @discardableResult package func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

/// Holds its callers until enough of them have come; later ones pass.
package final class Turnstile: Sendable {
    private let count: Int
    private let state = Locked((arrived: 0, waiting: [CheckedContinuation<Void, Never>]()))

    package init(_ count: Int) { self.count = count }

    package func pass() async {
        await withCheckedContinuation { continuation in
            let released = state.withLock { state in
                state.arrived += 1
                state.waiting.append(continuation)
                guard state.arrived >= count else { return [CheckedContinuation<Void, Never>]() }
                defer { state.waiting = [] }
                return state.waiting
            }
            for continuation in released { continuation.resume() }
        }
    }
}

/// Always offers its first credential, whatever has come in place of it.
package final class StaleSource: CredentialSource {
    private let expires: Date?
    private let count = Counter()

    package init(expires: Date? = nil) { self.expires = expires }
    package func credential() async -> Credential? { .bearer("0", expires: expires) }
    package func replacement(for refused: Credential) async -> Credential? {
        .bearer("\(count.next())", expires: expires)
    }
}
