import APIKitCore
import APIKitSupport
import Foundation
import TestSupport

/// An engine without a network: its test reports the events of each attempt.
final class ScriptedEngine: Sendable {
    /// What engines differ in.
    enum Kind: CaseIterable, Sendable {
        /// It can have the server wait.
        case pausing
        /// It cannot.
        case unpausing
    }

    private struct State: Sendable {
        var attempts: [Exchange] = []
        var stops = 0
        var resumes = 0
        /// Kept by the closures of an exchange alone.
        var lease: Lease?
    }

    let kind: Kind
    private let state: Locked<State>
    private let (sends, source) = AsyncStream.makeStream(of: Exchange.self)

    /// The closures that it gives to its first exchange keep the lease.
    init(_ kind: Kind, lease: Lease? = nil) {
        self.kind = kind
        state = Locked(State(lease: lease))
    }

    /// Sends the request of an exchange, unless it has ended.
    @Sendable func send(_ exchange: Exchange) {
        let lease = state.withLock { $0.lease.take() }
        let stop: @Sendable () -> Void = { [weak self] in
            withExtendedLifetime(lease) { self?.state.withLock { $0.stops += 1 } }
        }
        let resume: @Sendable () -> Void = { [weak self] in
            withExtendedLifetime(lease) { self?.state.withLock { $0.resumes += 1 } }
        }
        guard exchange.begin(stop: stop, resume: kind == .pausing ? resume : nil) else { return }
        state.withLock { $0.attempts.append(exchange) }
        source.yield(exchange)
    }

    /// Performs a request.
    func response(to request: ScriptedRequest) async throws -> HTTPResponse {
        try await Exchange.response(to: request.request, in: request.call, sending: send)
    }

    /// Performs a request in a task of its own; returns once it has been sent.
    func start(_ request: ScriptedRequest) async -> Task<HTTPResponse, any Error> {
        let task = Task { try await response(to: request) }
        await waitForSend()
        return task
    }

    /// Performs a request whose response is a stream, and reports its head.
    func stream(_ request: ScriptedRequest) async throws -> ByteStream {
        let task = await start(request)
        receive()
        return try await task.value.body.bytes
    }

    /// Returns once the request has been sent, or sent again; nil if the test's time is up.
    @discardableResult func waitForSend() async -> Exchange? {
        for await exchange in sends { return exchange }
        return nil
    }

    /// The exchanges whose requests have been sent.
    var attempts: [Exchange] { state.withLock { $0.attempts } }
    /// How many transfers were stopped.
    var stops: Int { state.withLock { $0.stops } }
    /// How many pauses were ended.
    var resumes: Int { state.withLock { $0.resumes } }

    /// The exchange of the last attempt.
    var exchange: Exchange { attempts[attempts.count - 1] }
    var isOver: Bool { exchange.isOver }
    var shouldPause: Bool { exchange.shouldPause }

    /// Reports a whole response.
    func answer(_ status: Int = 200, _ headers: HTTPHeaders = [:], body: String...) {
        receive(status, headers)
        body.forEach(receive(_:))
        finish()
    }

    /// Reports a head, and pieces of the body.
    func receive(_ status: Int = 200, _ headers: HTTPHeaders = [:], body: String...) {
        exchange.receive(.init(status: status, headers: headers, url: exchange.request.url))
        body.forEach(receive(_:))
    }

    func sent(_ total: Int) { exchange.sent(total: total) }
    func receive(_ text: String) { exchange.receive(Data(text.utf8)) }
    func receive(_ piece: Data) { exchange.receive(piece) }
    func finish() { exchange.finish() }
    func fail(_ error: any Error) { exchange.fail(error) }
}

/// A request for a scripted engine, and its call.
@dynamicMemberLookup
struct ScriptedRequest: Sendable {
    var request: HTTPRequest
    var progress: (@Sendable (TransferProgress) -> Void)?

    var clock: any Clock<Duration> = ContinuousClock()

    var mayReplace: (@Sendable (HTTPResponse.Head) -> Bool)?
    /// Whether a client allows to send the request again.
    var mayResend: (@Sendable (Call.Resend) -> Bool)?

    var call: Call {
        var call = Call(clock: clock, progress: progress.map { .anywhere($0) })
        if let mayReplace { call = call.replacing(if: mayReplace) }
        if let mayResend { call = call.resending(if: mayResend) }
        return call
    }

    subscript<Value>(dynamicMember path: WritableKeyPath<HTTPRequest, Value>) -> Value {
        get { request[keyPath: path] }
        set { request[keyPath: path] = newValue }
    }

    static func scripted(
        _ method: HTTPMethod = .get, _ delivery: ResponseBody.Delivery = .data, timeout: Duration = .seconds(60),
        limit: Int? = nil, body: RequestBody? = nil, progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) -> ScriptedRequest {
        let options = RequestOptions(timeout: .after(timeout), sizeLimit: limit ?? .max)
        return ScriptedRequest(
            request: HTTPRequest(
                method: method, url: URL(string: "https://api.example.com/things")!, body: body, options: options,
                delivery: delivery),
            progress: progress)
    }
}
