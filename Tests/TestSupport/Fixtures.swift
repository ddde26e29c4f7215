package import APIKitCore
import APIKitSupport
import APIKitTesting
import Dispatch
import Foundation
package import Testing

// MARK: - An API

/// The endpoints of one API.
package protocol DirectoryRequest: APIRequest { associatedtype Failure = DirectoryError }
extension DirectoryRequest { package var base: APIBase { "https://api.example.com" } }

package struct DirectoryError: JSONResponse, Error, Hashable {
    package let message: String

    package init(message: String) { self.message = message }
}

package typealias DirectoryFailure = APIError<DirectoryError>

package struct Account: JSONResponse, Hashable {
    package let id: Int
    package let login: String

    package init(id: Int, login: String) {
        self.id = id
        self.login = login
    }
}

package struct AccountsRequest: DirectoryRequest {
    package typealias Response = [Account]
    package var since: Int?
    package var path: URLPath { "accounts" }
    package var parameters: Parameters { ["since": since] }

    package init(since: Int? = nil) { self.since = since }
}

package struct AccountRequest: DirectoryRequest {
    package typealias Response = Account
    package var id = 1
    package var path: URLPath { "accounts/\(id)" }

    package init(id: Int = 1) { self.id = id }
}

package struct FindAccountRequest: DirectoryRequest {
    package typealias Response = Account?
    package var id = 1
    package var path: URLPath { "find/\(id)" }

    package init(id: Int = 1) { self.id = id }
}

/// An endpoint of which every part can be set.
package struct Endpoint<Response: APIResponse, Failure: APIResponse>: APIRequest {
    package var base: APIBase
    package var path: URLPath
    package var method: HTTPMethod
    package var parameters: Parameters
    package var headers: HTTPHeaders
    package var body: RequestBody?
    package var options: RequestOptions

    package init(
        base: APIBase = "https://api.example.com", path: URLPath = "things", method: HTTPMethod = .get,
        parameters: Parameters = [:], headers: HTTPHeaders = [:], body: RequestBody? = nil,
        options: RequestOptions = RequestOptions()
    ) {
        self.base = base
        self.path = path
        self.method = method
        self.parameters = parameters
        self.headers = headers
        self.body = body
        self.options = options
    }
}

extension HTTPResponse {
    /// A response with a text as its body.
    package static func text(_ text: String, status: Int = 200, type: String? = nil) -> HTTPResponse {
        .status(status, headers: [.contentType: type], body: Data(text.utf8))
    }

    package static let page = HTTPResponse.text("<html><h1>Sorry</h1></html>", status: 503, type: "text/html")
}

// MARK: - Clients

/// Responds immediately, without leaving the caller's executor.
package struct ImmediateClient: APIClient {
    package var clock: any Clock<Duration> { ContinuousClock() }
    private let response: @Sendable (HTTPRequest) throws -> HTTPResponse

    package init(_ response: @escaping @Sendable (HTTPRequest) throws -> HTTPResponse) { self.response = response }

    package init(_ response: HTTPResponse) { self.init { _ in response } }

    package func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse { try response(request) }
}

/// Returns its responses in order, repeats the last one, and records the requests.
package struct ScriptedClient: APIClient {
    package var clock: any Clock<Duration> { ContinuousClock() }
    private let responses: [HTTPResponse]
    private let log = Recorder<HTTPRequest>()

    package init(_ responses: HTTPResponse...) { self.responses = responses }

    package init(_ responses: [HTTPResponse]) { self.responses = responses }

    package var requests: [HTTPRequest] { log.values }

    package func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        let count = log.append(try await asSent(request, in: call))
        var response = responses[min(count, responses.count) - 1]
        response.head.url = request.url
        return response
    }

    /// The request as an engine sends it: after a redirect to another origin, without credentials.
    private func asSent(_ request: HTTPRequest, in call: Call) async throws -> HTTPRequest {
        if request.mayCarryCredentials(in: call) { return request }
        let stub = StubClient(.status(200))
        _ = try await stub.perform(request, in: call)
        return stub.requests.last ?? request
    }
}

/// Shows each request and its call to a closure.
package struct InterceptingClient: WrappingClient {
    package let base: any APIClient
    let intercept: @Sendable (HTTPRequest, Call) -> Void

    package func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        intercept(request, call)
        return try await base.perform(request, in: call)
    }
}

extension APIClient {
    package func intercepting(_ intercept: @escaping @Sendable (HTTPRequest, Call) -> Void) -> InterceptingClient {
        InterceptingClient(base: self, intercept: intercept)
    }
}

/// Holds every request until its task is cancelled, and then ends it with a response or an error.
package final class HangingClient: APIClient {
    package var clock: any Clock<Duration> { ContinuousClock() }
    private let ending: @Sendable () throws -> HTTPResponse
    private let arrivals = AsyncStream<HTTPRequest>.makeStream()

    package init(_ ending: @escaping @Sendable () throws -> HTTPResponse = { throw CancellationError() }) {
        self.ending = ending
    }

    package func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        arrivals.continuation.yield(request)
        let hold = Hold()
        await withTaskCancellationHandler {
            await hold.wait()
        } onCancel: {
            hold.release()
        }
        return try ending()
    }

    /// Waits until a request is held, and returns it.
    package func arrival() async -> HTTPRequest? {
        var iterator = arrivals.stream.makeAsyncIterator()
        return await iterator.next()
    }
}

/// Suspends a task until it is released; once released, it no longer suspends.
package final class Hold: Sendable {
    private struct State {
        var isReleased = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Locked(State())

    package init() {}

    package func wait() async {
        await withCheckedContinuation { continuation in
            let isReleased = state.withLock { state in
                if !state.isReleased { state.waiting = continuation }
                return state.isReleased
            }
            if isReleased { continuation.resume() }
        }
    }

    package func release() {
        let waiting = state.withLock { state in
            state.isReleased = true
            return state.waiting.take()
        }
        waiting?.resume()
    }
}

/// A list of values from any task or thread.
package final class Recorder<Value: Sendable>: Sendable {
    private let list = Locked<[Value]>([])

    package init() {}

    package var values: [Value] { list.withLock { $0 } }

    /// Appends a value and returns the new count.
    @discardableResult package func append(_ value: Value) -> Int {
        list.withLock { list in
            list.append(value)
            return list.count
        }
    }
}

/// Calls a closure when its last reference is released.
package final class Lease: Sendable {
    private let ended: @Sendable () -> Void

    package init(_ ended: @escaping @Sendable () -> Void) { self.ended = ended }

    deinit { ended() }
}

/// Detects whether the main actor runs the calling code, for which `Thread.isMainThread` cannot be used on Linux.
package enum MainQueue {
    private static let key = DispatchSpecificKey<Bool>()
    private static let mark: Void = DispatchQueue.main.setSpecific(key: key, value: true)

    package static var isCurrent: Bool {
        mark
        return DispatchQueue.getSpecific(key: key) == true
    }
}

// MARK: - Failures

extension APIClient {
    /// The error that a `send` throws; the test fails if it throws nothing.
    package func failure<R: APIRequest>(
        of request: R, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> APIError<R.Failure.Model> {
        do throws(APIError<R.Failure.Model>) {
            _ = try await send(request)
        } catch {
            return error
        }
        return try #require(nil, "nothing was thrown", sourceLocation: sourceLocation)
    }
}

extension APIError {
    /// The error of an invalid request; nil for other errors.
    package var invalidRequest: RequestError? {
        if case .invalidRequest(let error) = self { error } else { nil }
    }

    /// The reason why no response arrived; nil for other errors.
    package var transport: TransportError? {
        if case .transport(let error) = self { error } else { nil }
    }

    /// The failure and the response of a rejected status; nil for other errors.
    package var rejection: (failure: Failure?, response: HTTPResponse)? {
        if case .rejected(let failure, let response) = self { (failure, response) } else { nil }
    }

    /// The reason why a response could not be read, and the response; nil for other errors.
    package var unreadable: (error: any Error, response: HTTPResponse)? {
        if case .unreadable(let error, let response) = self { (error, response) } else { nil }
    }
}

/// Whether a text contains no line break of any kind.
package func isOneLine(_ text: String) -> Bool { !text.contains { $0.isNewline } }
