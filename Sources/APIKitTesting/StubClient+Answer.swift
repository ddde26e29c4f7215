public import APIKitCore
public import APIKitStreams
import APIKitSupport

extension StubClient {
    /// An answer of a stub: a canned response, a model, a stream or a failure, possibly after a delay.
    ///
    /// ```swift
    /// let stub = StubClient(clock: clock)
    ///     .answering(
    ///         UsersRequest.self,
    ///         once: .failure(TransportError(.connectionLost)), .status(503),
    ///         .model([])
    ///     )
    ///     .answering(
    ///         ChatRequest.self,
    ///         with: .stream("data: Hel\n\n", "data: lo\n\n", every: .seconds(1))
    ///     )
    ///     .answering(.get, "/v2/hours", with: .json("[]").delayed(by: .seconds(2)))
    /// ```
    ///
    /// `Model` is the endpoint's model, or `Never` for answers by method and path. In a signature, write
    /// `UsersRequest.StubAnswer`.
    public struct Answer<Model: Sendable>: Sendable {
        let untyped: UntypedAnswer

        private init(_ content: UntypedAnswer.Content, status: Int = 200, headers: HTTPHeaders = [:]) {
            untyped = UntypedAnswer(content, status: status, headers: headers)
        }

        private init(_ untyped: UntypedAnswer) {
            self.untyped = untyped
        }

        /// A response, which the endpoint maps.
        public static func response(_ response: HTTPResponse) -> Answer {
            Answer(.response(response))
        }

        /// A response with JSON text, which the endpoint maps.
        public static func json(_ text: String, status: Int = 200, headers: HTTPHeaders = [:]) -> Answer {
            .response(.json(text, status: status, headers: headers))
        }

        /// A response with the bytes of JSON, such as a fixture's contents, which the endpoint maps.
        public static func json(_ data: Data, status: Int = 200, headers: HTTPHeaders = [:]) -> Answer {
            .response(.json(data, status: status, headers: headers))
        }

        /// A response with a value as JSON, which the endpoint maps. The value is written with its own encoder if it is
        /// a ``JSONBody``, otherwise with `JSONEncoder.api`; one that cannot be encoded is the failure that requests
        /// get.
        public static func json(_ value: some Encodable, status: Int = 200, headers: HTTPHeaders = [:]) -> Answer {
            do {
                return .json(try RequestBody.standardJSON(of: value), status: status, headers: headers)
            } catch {
                return .failure(error)
            }
        }

        /// A response with a status and, if given, a body, which the endpoint maps.
        public static func status(_ status: Int, headers: HTTPHeaders = [:], body: Data = Data()) -> Answer {
            .response(.status(status, headers: headers, body: body))
        }

        /// The model itself, without mapping. The status counts as a success, whatever the endpoint says.
        public static func model(_ model: Model, status: Int = 200, headers: HTTPHeaders = [:]) -> Answer {
            Answer(.model(model), status: status, headers: headers)
        }

        /// A failure: the ``APIError`` of the endpoint that is answered, a ``TransportError``,
        /// or any error that a client may throw.
        ///
        /// An error of the endpoint's failure type is a rejection with the status 200, as if the response type had
        /// thrown it; for another status, use ``APIError/rejected(_:_:)``, `status` or `json`. Clients around the stub
        /// see a rejection as a response with its status, as they do over a network. For an answer by method and path,
        /// the error is thrown unchanged: use `status` or `json` for a rejection there.
        public static func failure(_ error: any Error) -> Answer {
            Answer(.failure(error))
        }

        /// A response whose body arrives piece by piece.
        ///
        /// An endpoint that wants data or a file gets the pieces together, after all the intervals.
        ///
        /// - Parameters:
        ///   - pieces: The pieces, as text. The first one comes with the head.
        ///   - interval: The time before each further piece and before the failure; it begins when the reader asks for
        ///     the piece.
        ///   - error: What the stream fails with after its pieces; nil if it is complete.
        ///   - status: The status.
        ///   - headers: The headers. Without a `Content-Length`, progress has no total until the end.
        /// - Returns: The answer.
        public static func stream(
            _ pieces: String..., every interval: Duration = .zero, failingWith error: (any Error)? = nil,
            status: Int = 200, headers: HTTPHeaders = [:]
        ) -> Answer {
            .stream(pieces.map { Data($0.utf8) }, every: interval, failingWith: error, status: status, headers: headers)
        }

        /// A response whose body arrives in pieces of bytes; otherwise as with pieces of text.
        public static func stream(
            _ pieces: [Data], every interval: Duration = .zero, failingWith error: (any Error)? = nil,
            status: Int = 200, headers: HTTPHeaders = [:]
        ) -> Answer {
            Answer(.stream(pieces, every: interval, failure: error), status: status, headers: headers)
        }

        /// The same answer, after a delay on the stub's clock; several delays add up.
        ///
        /// A delay of ``RequestOptions/timeout`` or longer fails after that timeout with the code
        /// `timedOut`, as over a network. A cancel ends a delay at once.
        public func delayed(by delay: Duration) -> Answer {
            Answer(untyped.delayed(by: delay))
        }
    }
}

extension APIRequest {
    /// What a ``StubClient`` answers a request of this type: a name for the signatures of helpers.
    public typealias StubAnswer = StubClient.Answer<Response.Model>
}

/// An answer without the type of its model. With that type as a parameter, the compiler would generate this code for
/// each model.
///
/// It is a class because each request copies its answer.
final class UntypedAnswer: Sendable {
    enum Content: Sendable {
        case response(HTTPResponse)
        case model(any Sendable)
        case failure(any Error)
        case stream([Data], every: Duration, failure: (any Error)?)
        case closure(@Sendable (HTTPRequest, Call) async throws -> HTTPResponse)
    }

    private let content: Content
    /// The status and headers, except for a response, which has its own.
    private let status: Int
    private let headers: HTTPHeaders
    private let delay: Duration

    init(_ content: Content, status: Int = 200, headers: HTTPHeaders = [:], delay: Duration = .zero) {
        self.content = content
        self.status = status
        self.headers = headers
        self.delay = delay
    }

    func delayed(by duration: Duration) -> UntypedAnswer {
        let sum = (delay + duration.clampedForSleep).clampedForSleep
        return UntypedAnswer(content, status: status, headers: headers, delay: sum)
    }

    /// The answer as a text: the kind, and the status or the error.
    var summary: String {
        switch content {
        case .response(let response): "status \(response.head.status)"
        case .model(let model): "a model of type \(type(of: model))"
        case .failure(let error): "the error \(error)"
        case .stream(let pieces, _, _): "a stream of \(pieces.count) pieces"
        case .closure: "a closure"
        }
    }

    /// Delivers the answer as an engine delivers a response: with the request's progress, and within its limits.
    func response(to request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        let head = HTTPResponse.Head(status: status, headers: headers, lazyURL: request.lazyURL)
        switch content {
        case .response(let response):
            return try await deliver(response.answering(request), for: request, in: call)
        case .model(let model):
            // An empty body is delivered first, so that the request reports progress and keeps its time limits. Then
            // the model takes the place of that body.
            var response = try await deliver(HTTPResponse(head: head), for: request, in: call)
            response.body = ResponseBody(TypedAnswer(.success(model)))
            return response
        case .failure(let error):
            if needsNoExchange(in: call) {
                call.countAttempt()
                throw error
            }
            return try await performExchange(for: request, in: call) { [delay] exchange in
                try await exchange.wait(for: delay)
                throw error
            }
        case .stream(let pieces, let interval, let failure):
            let response = HTTPResponse(head: head, body: ResponseBody(ByteStream(pieces)))
            return try await performExchange(for: request, in: call) { [delay] exchange in
                try await exchange.play(response, after: delay, every: interval, failingWith: failure)
            }
        case .closure(let respond):
            // Delivery, limits and progress are up to the closure.
            return try await respond(request, call)
        }
    }

    /// Whether the answer can be given without an exchange: neither a delay nor progress has to be played.
    private func needsNoExchange(in call: Call) -> Bool {
        delay == .zero && !call.reportsProgress
    }

    /// Whether a response is already in the form in which the request wants it: as data, within the size limit.
    private func isDeliverable(_ response: HTTPResponse, for request: HTTPRequest, in call: Call) -> Bool {
        guard call.delivery(of: response.head, to: request) == .data, let data = response.body.data else {
            return false
        }
        return data.count <= request.options.effectiveSizeLimit
    }

    /// Delivers a response: at once if it has the form that the request wants, and neither a delay nor progress has to
    /// be simulated. Otherwise an exchange plays its events.
    private func deliver(
        _ response: HTTPResponse, for request: HTTPRequest, in call: Call
    ) async throws -> HTTPResponse {
        if needsNoExchange(in: call) && isDeliverable(response, for: request, in: call) {
            call.countAttempt()
            return response
        }
        var played = try await performExchange(for: request, in: call) { [delay] exchange in
            try await exchange.play(response, after: delay)
        }
        // The exchange has measured its own timing, but the test has set the response's.
        played.timing = response.timing
        played.source = response.source
        return played
    }

    /// Performs an exchange whose events come from a closure.
    ///
    /// The exchange does not send the request again after a failure, since a stub has no connections to reuse.
    private func performExchange(
        for request: HTTPRequest, in call: Call,
        _ reportEvents: @escaping @Sendable (Exchange) async throws -> Void
    ) async throws -> HTTPResponse {
        try await Exchange.response(to: request, in: call) { exchange in
            exchange.playEngine { exchange in
                if call.reportsProgress { try await exchange.playSending() }
                try await reportEvents(exchange)
            }
        }
    }
}

extension HTTPResponse {
    /// Returns the same response, with the request's URL if it is a canned one.
    func answering(_ request: HTTPRequest) -> HTTPResponse {
        var response = self
        if head.url == Self.cannedURL { response.head.lazyURL = request.lazyURL }
        response.request = request.withoutStreams
        return response
    }
}

extension StubClient.Answer {
    /// An event stream.
    ///
    /// ```swift
    /// let stub = try StubClient().answering(
    ///     ChatRequest.self,
    ///     with: .events([.init(json: ChatChunk(text: "Hello")), .init(data: "[DONE]")]))
    /// ```
    ///
    /// - Parameters:
    ///   - events: The events. The first one comes with the head.
    ///   - interval: The time before each further event and before the failure; it begins when the reader asks for the
    ///     event.
    ///   - error: What the stream fails with after its events; nil if it is complete.
    /// - Returns: The answer.
    public static func events(
        _ events: [ServerSentEvents.Event], every interval: Duration = .zero, failingWith error: (any Error)? = nil
    ) -> StubClient.Answer<Model> {
        .stream(
            events.map { Data($0.wireText.utf8) }, every: interval, failingWith: error,
            headers: [.contentType: MIMEType.eventStream.rawValue])
    }
}

extension ServerSentEvents.Event {
    /// Creates an event with a value as JSON, written with its own encoder if it is a ``JSONBody``,
    /// otherwise with `JSONEncoder.api`.
    ///
    /// - Throws: ``RequestError`` if the value cannot be encoded.
    public init(json value: some Encodable, type: String = "message", id: String = "") throws {
        let data = try RequestBody.standardJSON(of: value)
        self.init(type: type, data: String(decoding: data, as: UTF8.self), id: id)
    }

    /// The event as it is sent (WHATWG HTML, section 9.2.6).
    fileprivate var wireText: String {
        var text = ""
        if type != "message" { text += "event: \(type)\n" }
        if !id.isEmpty { text += "id: \(id)\n" }
        for line in data.split(separator: "\n", omittingEmptySubsequences: false) { text += "data: \(line)\n" }
        return text + "\n"
    }
}

extension RequestBody {
    /// Returns a value as JSON, written with its own encoder if it is a ``JSONBody``, otherwise with `JSONEncoder.api`.
    fileprivate static func standardJSON(of value: some Encodable) throws -> Data {
        let body = RequestBody.json(value, encoder: StandardJSON.encoder(for: type(of: value)))
        return try body.prepared().data ?? Data()
    }
}
