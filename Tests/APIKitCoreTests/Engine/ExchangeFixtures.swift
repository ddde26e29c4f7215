import APIKitCore
import Dispatch
import Foundation

/// An engine for one request, which is called back by its test: the exchange is on a queue of its own.
final class ToldEngine: @unchecked Sendable {
    // @unchecked: the exchange is touched on the queue alone.
    private let queue = DispatchQueue(label: "told")
    private var exchange: Exchange
    private let lease: Lease?
    let request: HTTPRequest
    let sends = Recorder<String>()
    let sending = Signal()

    init(_ request: HTTPRequest, lease: Lease? = nil) {
        self.request = request
        self.lease = lease
        exchange = Exchange(of: request)
    }

    @Sendable func tellLater(_ event: @escaping @Sendable (inout Exchange) -> Void) {
        queue.async { event(&self.exchange) }
    }

    /// Tells the exchange something, behind all that it was told before.
    @discardableResult
    func tell<Value>(_ event: (inout Exchange) -> Value) -> Value {
        queue.sync { event(&exchange) }
    }

    var isOver: Bool { tell { $0.isOver } }
    var isAheadOfReader: Bool { tell { $0.isAheadOfReader } }

    func answer() async throws -> HTTPResponse {
        try await Exchange.answer(to: request.validated(), telling: tellLater) {
            sends.append(request.method.rawValue)
            sending.fire()
        }
    }

    /// Waits for the answer in a task of its own; returns once the request is on its way.
    func begin() async -> Task<HTTPResponse, any Error> {
        let task = Task { try await answer() }
        await sending.wait()
        return task
    }

    func receive(_ status: Int = 200, _ headers: HTTPHeaders = [:]) {
        tell { $0.receive(.init(status: status, headers: headers, url: request.url), telling: tellLater) }
    }

    func receive(_ text: String) {
        tell { $0.receive(Data(text.utf8)) }
    }

    func finish() {
        tell { $0.finish() }
    }

    func fail(_ error: any Error) {
        tell { $0.fail(error) }
    }
}

extension HTTPRequest {
    static func told(
        _ method: HTTPMethod = .get, _ delivery: ResponseBody.Delivery = .data, timeout: Duration = .seconds(60),
        limit: Int? = nil, body: RequestBody? = nil, progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) -> HTTPRequest {
        HTTPRequest(
            method: method, url: URL(string: "https://api.example.com/things")!, body: body,
            options: RequestOptions(timeout: timeout, sizeLimit: limit), delivery: delivery, progress: progress)
    }
}

/// Something that happens once, and may be waited for.
final class Signal: Sendable {
    private let (stream, source) = AsyncStream.makeStream(of: Void.self)

    func fire() {
        source.yield()
        source.finish()
    }

    /// Waits; it ends without an answer where the test's time is up.
    func wait() async {
        for await _ in stream { return }
    }
}

/// What an asynchronous piece of work throws, as its code, or the type's name; nil where it throws nothing.
func thrown(_ work: () async throws -> some Any) async -> String? {
    do {
        _ = try await work()
        return nil
    } catch {
        return (error as? TransportError)?.code.rawValue ?? "\(type(of: error))"
    }
}

/// The temporary files of this process that this kit made.
var temporaryFiles: Set<String> {
    let names = try? FileManager.default.contentsOfDirectory(atPath: FileManager.default.temporaryDirectory.path)
    let prefix = "apikit-\(ProcessInfo.processInfo.processIdentifier)-"
    return Set((names ?? []).filter { $0.hasPrefix(prefix) })
}
