import APIKitCore
import APIKitTesting
import Dispatch
import Foundation
import Testing

// MARK: - An API

/// The endpoints of one API.
protocol DirectoryRequest: APIRequest { associatedtype Failure = DirectoryError }
extension DirectoryRequest { var base: APIBase { "https://api.example.com" } }

struct DirectoryError: JSONResponse, Error, Hashable { let message: String }

typealias DirectoryFailure = APIError<DirectoryError>

struct Account: JSONResponse, Hashable {
    let id: Int
    let login: String
}

struct AccountsRequest: DirectoryRequest {
    typealias Response = [Account]
    var since: Int?
    var path: URLPath { "accounts" }
    var parameters: Parameters { ["since": since] }
}

struct AccountRequest: DirectoryRequest {
    typealias Response = Account
    var id = 1
    var path: URLPath { "accounts/\(id)" }
}

struct FindAccountRequest: DirectoryRequest {
    typealias Response = Account?
    var id = 1
    var path: URLPath { "find/\(id)" }
}

/// An endpoint of which every part can be set.
struct Endpoint<Response: APIResponse, Failure: APIResponse>: APIRequest {
    var base: APIBase = "https://api.example.com"
    var path: URLPath = "things"
    var method: HTTPMethod = .get
    var parameters: Parameters = [:]
    var headers: HTTPHeaders = [:]
    var body: RequestBody?
    var options = RequestOptions()
}

extension HTTPResponse {
    /// A response with a text as its body.
    static func text(_ text: String, status: Int = 200, type: String? = nil) -> HTTPResponse {
        .status(status, headers: [.contentType: type], body: Data(text.utf8))
    }

    static let page = HTTPResponse.text("<html><h1>Sorry</h1></html>", status: 503, type: "text/html")
}

// MARK: - Clients

/// Responds immediately, without leaving the caller's executor.
struct ImmediateClient: APIClient {
    var clock: any Clock<Duration> { ContinuousClock() }
    private let response: @Sendable (HTTPRequest) throws -> HTTPResponse

    init(_ response: @escaping @Sendable (HTTPRequest) throws -> HTTPResponse) { self.response = response }

    init(_ response: HTTPResponse) { self.init { _ in response } }

    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse { try response(request) }
}

/// Returns its responses in order, repeats the last one, and records the requests.
struct ScriptedClient: APIClient {
    var clock: any Clock<Duration> { ContinuousClock() }
    private let responses: [HTTPResponse]
    private let log = Recorder<HTTPRequest>()

    init(_ responses: HTTPResponse...) { self.responses = responses }

    init(_ responses: [HTTPResponse]) { self.responses = responses }

    var requests: [HTTPRequest] { log.values }

    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        let count = log.append(call.redirection == nil ? request : try request.prepared(in: call))
        var response = responses[min(count, responses.count) - 1]
        response.head.url = request.url
        return response
    }
}

/// Shows each request and its call to a closure.
struct InterceptingClient: WrappingClient {
    let base: any APIClient
    let intercept: @Sendable (HTTPRequest, Call) -> Void

    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        intercept(request, call)
        return try await base.perform(request, in: call)
    }
}

extension APIClient {
    func intercepting(_ intercept: @escaping @Sendable (HTTPRequest, Call) -> Void) -> InterceptingClient {
        InterceptingClient(base: self, intercept: intercept)
    }
}

/// Holds every request until its task is cancelled, and then ends it with a response or an error.
final class HangingClient: APIClient {
    var clock: any Clock<Duration> { ContinuousClock() }
    private let ending: @Sendable () throws -> HTTPResponse
    private let arrivals = AsyncStream<HTTPRequest>.makeStream()

    init(_ ending: @escaping @Sendable () throws -> HTTPResponse = { throw CancellationError() }) {
        self.ending = ending
    }

    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
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
    func arrival() async -> HTTPRequest? {
        var iterator = arrivals.stream.makeAsyncIterator()
        return await iterator.next()
    }
}

/// Suspends a task until it is released; once released, it no longer suspends.
final class Hold: Sendable {
    private struct State {
        var isReleased = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Locked(State())

    func wait() async {
        await withCheckedContinuation { continuation in
            let isReleased = state.withLock { state in
                if !state.isReleased { state.waiting = continuation }
                return state.isReleased
            }
            if isReleased { continuation.resume() }
        }
    }

    func release() {
        let waiting = state.withLock { state in
            state.isReleased = true
            return state.waiting.take()
        }
        waiting?.resume()
    }
}

/// A list of values from any task or thread.
final class Recorder<Value: Sendable>: Sendable {
    private let list = Locked<[Value]>([])

    var values: [Value] { list.withLock { $0 } }

    /// Appends a value and returns the new count.
    @discardableResult func append(_ value: Value) -> Int {
        list.withLock { list in
            list.append(value)
            return list.count
        }
    }
}

/// Calls a closure when its last reference is released.
final class Lease: Sendable {
    private let ended: @Sendable () -> Void

    init(_ ended: @escaping @Sendable () -> Void) { self.ended = ended }

    deinit { ended() }
}

/// Detects whether the main actor runs the calling code, for which `Thread.isMainThread` cannot be used on Linux.
enum MainQueue {
    private static let key = DispatchSpecificKey<Bool>()
    private static let mark: Void = DispatchQueue.main.setSpecific(key: key, value: true)

    static var isCurrent: Bool {
        mark
        return DispatchQueue.getSpecific(key: key) == true
    }
}

// MARK: - Failures

extension APIClient {
    /// The error that a `send` throws; the test fails if it throws nothing.
    func failure<R: APIRequest>(
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
    var invalidRequest: RequestError? {
        if case .invalidRequest(let error) = self { error } else { nil }
    }

    /// The reason why no response arrived; nil for other errors.
    var transport: TransportError? {
        if case .transport(let error) = self { error } else { nil }
    }

    /// The failure and the response of a rejected status; nil for other errors.
    var rejection: (failure: Failure?, response: HTTPResponse)? {
        if case .rejected(let failure, let response) = self { (failure, response) } else { nil }
    }

    /// The reason why a response could not be read, and the response; nil for other errors.
    var unreadable: (error: any Error, response: HTTPResponse)? {
        if case .unreadable(let error, let response) = self { (error, response) } else { nil }
    }
}

/// Whether a text contains no line break of any kind.
func isOneLine(_ text: String) -> Bool { !text.contains { $0.isNewline } }
