import APIKitCore
import Foundation
import TestSupport

/// An engine whose every response has a status and a body of 1 MiB.
struct LargeBodyEngine: APIEngine {
    let status: Int

    func transmit(_ exchange: Exchange) {
        guard exchange.begin(stop: {}) else { return }
        exchange.sent(total: 0)
        exchange.receive(HTTPResponse.Head(status: status, url: exchange.request.url))
        exchange.receive(Data(count: 1 << 20))
        exchange.finish()
    }
}
