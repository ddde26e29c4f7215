// Spans of swift-distributed-tracing, by OpenTelemetry's conventions for HTTP clients. To use them, copy this file.

public import APIKit
public import Tracing

/// What a span of ``APIClient/traced(_:by:)`` covers.
public enum TracedUnit: Sendable {
    /// An attempt: a span of the kind `client`, whose context is sent in the headers.
    case attempt
    /// A call with all of its attempts and pauses: a span of the kind `internal`.
    case call
}

extension APIClient {
    /// Returns a client that creates a span for each attempt or each call.
    ///
    /// ```swift
    /// let client = URLSession.api.traced().retrying().traced(.call)
    /// ```
    ///
    /// Inside `retrying` and `authorized` a client sees each attempt, outside it sees the call. If there are both, the
    /// span of the call is the parent. Requests of a call after the first one have an `http.request.resend_count`,
    /// redirects and what an engine sends again over a new connection included; that is one span with the first.
    /// Redirects are followed outside all clients, so that each hop has a span of a call.
    ///
    /// Names and attributes follow OpenTelemetry's
    /// [conventions](https://opentelemetry.io/docs/specs/semconv/http/http-spans/): `GET /users/{login}` with
    /// `http.request.method`, `url.template`, `server.address`, `server.port`, `http.response.status_code` and
    /// `error.type`; a status from 400 is an error, whether or not the endpoint accepts it. There is no `url.full`,
    /// header or text of an error, which may hold secrets; `api.endpoint` is the endpoint's type. A span ends with the
    /// body: for a stream, when it has ended or was released.
    ///
    /// The context is sent as the tracer writes it, usually as `traceparent` and `baggage`; after a redirect to another
    /// origin, `baggage` is not.
    ///
    /// - Parameters:
    ///   - unit: What a span covers.
    ///   - tracer: The tracer; nil for the current one of `InstrumentationSystem`.
    /// - Returns: The client.
    public func traced(_ unit: TracedUnit = .attempt, by tracer: (any Tracer)? = nil) -> some APIClient {
        TracedClient(base: self, unit: unit, tracer: tracer)
    }
}

private struct TracedClient: WrappingClient {
    let base: any APIClient
    let unit: TracedUnit
    let tracer: (any Tracer)?

    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        let name = call.pathTemplate.map { "\(request.method) \($0)" } ?? request.method.rawValue
        let kind: SpanKind = unit == .attempt ? .client : .internal
        let span: any Tracing.Span = (tracer ?? InstrumentationSystem.tracer).startSpan(name, ofKind: kind)
        span.updateAttributes { $0.describe(request, in: call) }
        let observed = base.observed { event in
            if unit == .attempt, event.attempt > 1 { span.attributes["http.request.resend_count"] = event.attempt - 1 }
            // A failure is either thrown, and handled below, or an engine sends the request again.
            guard case .success(let response) = event.result else { return }
            span.end(status: response.head.status, error: event.streamError)
        }
        let outgoing = unit == .attempt ? injecting(span.context, into: request) : request
        do {
            return try await ServiceContext.withValue(span.context) { try await observed.perform(outgoing, in: call) }
        } catch {
            span.end(status: nil, error: error)
            throw error
        }
    }

    private func injecting(_ context: ServiceContext, into request: HTTPRequest) -> HTTPRequest {
        let instrument: any Instrument = tracer ?? InstrumentationSystem.instrument
        var request = request
        instrument.inject(context, into: &request.headers, using: HeaderInjector())
        return request
    }
}

private struct HeaderInjector: Injector {
    func inject(_ value: String, forKey name: String, into headers: inout HTTPHeaders) {
        headers[HTTPHeaders.Name(rawValue: name)] = value
    }
}

extension SpanAttributes {
    fileprivate mutating func describe(_ request: HTTPRequest, in call: Call) {
        self["http.request.method"] = request.method.rawValue
        self["url.template"] = call.pathTemplate
        self["server.address"] = request.url.host
        let defaultPort = request.url.scheme == "http" ? 80 : 443
        self["server.port"] = request.url.port ?? defaultPort
        self["api.endpoint"] = call.endpoint.map { "\(type(of: $0))" }
    }
}

extension Tracing.Span {
    /// Ends the span. Only the kind of an error is recorded, since its text may hold a URL.
    fileprivate func end(status: Int?, error: (any Error)?) {
        let failure = error.map { ($0 as? TransportError)?.code.rawValue ?? "\(type(of: $0))" }
        let errorType = failure ?? status.flatMap { $0 < 400 ? nil : "\($0)" }
        updateAttributes { attributes in
            attributes["http.response.status_code"] = status
            attributes["error.type"] = errorType
        }
        if errorType != nil { setStatus(SpanStatus(code: .error)) }
        end()
    }
}
