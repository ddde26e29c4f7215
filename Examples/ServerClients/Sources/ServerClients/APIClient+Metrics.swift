// Counters and timers of swift-metrics. To use them, copy this file.

public import APIKit
public import Metrics

extension APIClient {
    /// Returns a client that counts and times every attempt with swift-metrics.
    ///
    /// ```swift
    /// let client = URLSession.api.measured().retrying()
    /// ```
    ///
    /// The counter `api_client_requests` and the timer `api_client_request_duration` have these dimensions:
    ///
    /// | Dimension | |
    /// | --- | --- |
    /// | `endpoint` | the endpoint's type, such as `UserRequest` |
    /// | `method` | such as `GET` |
    /// | `template` | the path without its values, such as `/users/{login}` |
    /// | `status` | `2xx`, `3xx`, `4xx` or `5xx`, or `error` if no complete response arrived |
    ///
    /// None of them is a URL, which has too many values and may hold secrets. A request that was built by hand has
    /// `none` as its endpoint and its template. Outside `retrying`, a call counts once, but without the attempts before
    /// the last one. ``APIClient/observed(_:)`` describes what else counts as an attempt, and when a stream ends.
    ///
    /// - Parameter factory: Where the metrics are created; nil for the current one of `MetricsSystem`.
    /// - Returns: The client.
    public func measured(by factory: (any MetricsFactory)? = nil) -> some APIClient {
        observed { event in
            let factory = factory ?? MetricsSystem.factory
            let dimensions = event.dimensions
            Counter(label: "api_client_requests", dimensions: dimensions, factory: factory).increment()
            // With the module's name, since Foundation has a type of this name too.
            Metrics.Timer(
                label: "api_client_request_duration", dimensions: dimensions, preferredDisplayUnit: .seconds,
                factory: factory
            ).record(duration: event.duration)
        }
    }
}

extension RequestEvent {
    fileprivate var dimensions: [(String, String)] {
        [
            ("endpoint", call.endpoint.map { "\(type(of: $0))" } ?? "none"),
            ("method", request.method.rawValue),
            ("template", call.pathTemplate ?? "none"),
            ("status", statusClass),
        ]
    }

    private var statusClass: String {
        guard streamError == nil, case .success(let response) = result else { return "error" }
        return "\(response.head.status / 100)xx"
    }
}
