#if os(Linux)
import APIKitCore
import APIKitCurl
import Foundation
import FoundationNetworking

/// A session that ``Foundation/URLSession/api(configuration:pins:proxy:delegate:)`` has created. It keeps its engine,
/// and with it the pins, when it is invalidated, which releases a delegate.
///
/// `@unchecked Sendable`: it has constants alone.
final class APISession: URLSession, @unchecked Sendable {
    let engine: CurlClient
    /// Whether the caller wants a delegate to be asked, which libcurl cannot do.
    let wantsDelegate: Bool

    init(_ configuration: URLSessionConfiguration, pins: PublicKeyPins?, proxy: Proxy, wantsDelegate: Bool) {
        engine = SessionEngine.shared(for: configuration, pins: pins, proxy: proxy)
        self.wantsDelegate = wantsDelegate
        super.init(configuration: configuration, delegate: nil, delegateQueue: nil)
    }
}
#endif
