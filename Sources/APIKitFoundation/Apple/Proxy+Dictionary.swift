import APIKitCore
import Foundation

#if canImport(Darwin)
extension Proxy {
    /// The proxy as a session's configuration names it; nil for the system's.
    var dictionary: [AnyHashable: Any]? {
        if self == .system { return nil }
        guard let url, let host = url.host else { return [:] }
        let port = url.port ?? 80
        return [
            "HTTPEnable": 1, "HTTPProxy": host, "HTTPPort": port,
            "HTTPSEnable": 1, "HTTPSProxy": host, "HTTPSPort": port,
        ]
    }
}
#endif
