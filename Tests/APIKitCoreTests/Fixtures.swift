import APIKitCore
import Dispatch
import Foundation
import Testing

// MARK: - An API

/// What the endpoints of one API share.
protocol DirectoryRequest: APIRequest { associatedtype Failure = DirectoryError }
extension DirectoryRequest {
    var baseURL: URL { URL(string: "https://api.example.com")! }
}

struct DirectoryError: JSONAPIResponse, Error, Hashable {
    let message: String
}

typealias DirectoryFailure = APIError<DirectoryError>

struct Account: JSONAPIResponse, Hashable {
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

/// An endpoint with every part of it free.
struct Endpoint<Response: APIResponse, Failure: APIResponse>: APIRequest {
    var baseURL = URL(string: "https://api.example.com")!
    var path: URLPath = "things"
    var method: HTTPMethod = .get
    var parameters: Parameters = [:]
    var headers: HTTPHeaders = [:]
    var body: RequestBody?
    var options = RequestOptions()
}

extension HTTPResponse {
    /// An answer of plain text.
    static func text(_ text: String, status: Int = 200, type: String? = nil) -> HTTPResponse {
        .status(status, headers: [.contentType: type], body: Data(text.utf8))
    }

    static let page = HTTPResponse.text("<html><h1>Sorry</h1></html>", status: 503, type: "text/html")
}

// MARK: - Clients

/// Answers at once, without leaving the caller's executor.
struct ImmediateClient: APIClient {
    private let answer: @Sendable (HTTPRequest) throws -> HTTPResponse

    init(_ answer: @escaping @Sendable (HTTPRequest) throws -> HTTPResponse) {
        self.answer = answer
    }

    init(_ response: HTTPResponse) {
        self.init { _ in response }
    }

    func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        try answer(request)
    }
}

/// Gives its answers one after the other, the last one again and again, and remembers what it was asked.
struct ScriptedClient: APIClient {
    private let answers: [HTTPResponse]
    private let log = Recorder<HTTPRequest>()

    init(_ answers: HTTPResponse...) {
        self.answers = answers
    }

    init(_ answers: [HTTPResponse]) {
        self.answers = answers
    }

    var requests: [HTTPRequest] { log.values }

    func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        let count = log.append(request)
        var answer = answers[min(count, answers.count) - 1]
        answer.head.url = request.url
        return answer
    }
}

/// Holds every request until its task is cancelled, and then ends it as told.
final class HangingClient: APIClient {
    private let ending: @Sendable () throws -> HTTPResponse
    private let arrivals = AsyncStream<HTTPRequest>.makeStream()

    init(_ ending: @escaping @Sendable () throws -> HTTPResponse = { throw CancellationError() }) {
        self.ending = ending
    }

    func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        arrivals.continuation.yield(request)
        let hold = Hold()
        await withTaskCancellationHandler {
            await hold.wait()
        } onCancel: {
            hold.release()
        }
        return try ending()
    }

    /// Waits until a request is being held.
    func arrival() async -> HTTPRequest? {
        var iterator = arrivals.stream.makeAsyncIterator()
        return await iterator.next()
    }
}

/// Something to wait for on a continuation; once released it stays released.
final class Hold: @unchecked Sendable {
    // @unchecked: the two variables are touched under the lock only.
    private let lock = NSLock()
    private var isReleased = false
    private var waiting: CheckedContinuation<Void, Never>?

    func wait() async {
        await withCheckedContinuation { continuation in
            let passes = lock.withLock {
                if !isReleased { waiting = continuation }
                return isReleased
            }
            if passes { continuation.resume() }
        }
    }

    func release() {
        let woken = lock.withLock {
            isReleased = true
            defer { waiting = nil }
            return waiting
        }
        woken?.resume()
    }
}

/// A list that may be added to from anywhere.
final class Recorder<Value: Sendable>: @unchecked Sendable {
    // @unchecked: the variable is touched under the lock only.
    private let lock = NSLock()
    private var list: [Value] = []

    var values: [Value] { lock.withLock { list } }

    /// Adds a value and returns how many there are now.
    @discardableResult
    func append(_ value: Value) -> Int {
        lock.withLock {
            list.append(value)
            return list.count
        }
    }
}

/// Whether the main actor runs the calling code. `Thread.isMainThread` does not tell on Linux; the queue does.
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
    /// The error that a `send` throws; a failed test where it throws none.
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
    /// What could not be made, nil for other errors.
    var invalidRequest: RequestError? {
        if case .invalidRequest(let error) = self { error } else { nil }
    }

    /// Why no answer came, nil for other errors.
    var transport: TransportError? {
        if case .transport(let error) = self { error } else { nil }
    }

    /// What a refused answer said and what it was, nil for other errors.
    var rejection: (failure: Failure?, response: HTTPResponse)? {
        if case .rejected(let failure, let response) = self { (failure, response) } else { nil }
    }

    /// Why an accepted answer was not read and what it was, nil for other errors.
    var unreadable: (error: any Error, response: HTTPResponse)? {
        if case .unreadable(let error, let response) = self { (error, response) } else { nil }
    }
}

/// Whether a text has no line break of any kind.
func isOneLine(_ text: String) -> Bool {
    !text.contains { $0.isNewline }
}
