#if os(Linux)
extension CurlLoop {
    /// The transfers to an origin: how many libcurl has, and which ones wait.
    final class Host {
        /// The scheme, host and port of the URLs.
        let origin: Substring
        let isSecure: Bool
        /// Whether the host is in the loop's ``HostTable``, which sets this.
        @exclusivity(unchecked) var isRemembered = false
        /// Counts the transfers that libcurl has, and decides whether it may have another one.
        @exclusivity(unchecked) var gate: ConnectGate
        /// The numbers of the transfers that wait for this host, in the order in which they came; see
        /// ``WaitingTransfers``.
        @exclusivity(unchecked) var waitingNumbers: ArraySlice<Int> = []

        init(_ origin: Substring, _ configuration: CurlClient.Configuration) {
            self.origin = origin
            isSecure = origin.hasPrefix("https:")
            gate = ConnectGate(
                mayUseHTTP2: isSecure && configuration.httpVersion == .http2,
                connectionLimit: configuration.boundedConnectionsPerHost)
        }

        /// Whether requests to this host may use HTTP/2, and so share a connection.
        var mayUseHTTP2: Bool { gate.mayUseHTTP2 }
        /// Whether transfers wait for this host. It may still be true if all of them were stopped.
        var hasWaitingTransfers: Bool { !waitingNumbers.isEmpty }

        /// Returns everything before the path and the query: `https://example.com:8443` for
        /// `https://example.com:8443/users` and for `https://example.com:8443?page=2`.
        static func origin(of url: String) -> Substring {
            var text = url
            let endOfOrigin = text.withUTF8 { bytes in
                // Skips the slashes of "https://". "http://" is one byte shorter, so the first byte of its host is
                // skipped too, which is not a slash.
                bytes.dropFirst("https://".utf8.count).firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
            }
            guard let endOfOrigin else { return url[...] }
            return url[..<url.utf8.index(url.startIndex, offsetBy: endOfOrigin)]
        }
    }
}
#endif
