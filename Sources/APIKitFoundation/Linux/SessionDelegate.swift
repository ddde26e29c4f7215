#if os(Linux)
import APIKitCore
import APIKitCurl
import Foundation
import FoundationNetworking

/// The delegate of the sessions that ``Foundation/URLSession/api(configuration:pins:proxy:delegate:)`` creates: holds
/// their engine.
final class APISessionDelegate: NSObject, URLSessionDelegate {
    let engine: CurlClient
    /// The delegate of the caller, which libcurl cannot ask.
    let challenges: (any URLSessionDelegate)?

    init(
        _ configuration: URLSessionConfiguration, pins: PublicKeyPins?, proxy: Proxy,
        challenges: (any URLSessionDelegate)?
    ) {
        engine = SessionEngine.shared(for: configuration, pins: pins, proxy: proxy)
        self.challenges = challenges
    }
}
#endif
