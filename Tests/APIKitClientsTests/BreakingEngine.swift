import APIKitCore
import APIKitTesting
import TestSupport

/// An engine whose connections break before any response.
struct BreakingEngine: APIEngine {
    /// Whether each sending was a repetition of the engine's own.
    let sendings = Recorder<Bool>()

    func transmit(_ exchange: Exchange) {
        guard exchange.begin(stop: {}) else { return }
        sendings.append(exchange.isResend)
        exchange.sent(total: 0)
        exchange.fail(TransportError(.connectionLost))
    }
}
