import APIKitCore
import APIKitTesting
import TestSupport

/// An engine whose kept connections break before any response.
struct BreakingEngine: APIEngine {
    /// Whether the server refuses each request without processing it (RFC 9113, section 8.7).
    var refuses = false
    /// Whether each sending was a repetition of the engine's own.
    let sendings = Recorder<Bool>()

    func transmit(_ exchange: Exchange) {
        guard exchange.begin(stop: {}) else { return }
        sendings.append(exchange.isResend)
        exchange.connected(isReused: true)
        exchange.sent(total: 0)
        exchange.fail(TransportError(.connectionLost), beforeSending: refuses)
    }
}
