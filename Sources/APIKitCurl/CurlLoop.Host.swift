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
            let endOfOrigin: Int? = text.withUTF8 { bytes in
                let slash = UInt8(ascii: "/")
                let questionMark = UInt8(ascii: "?")
                // Skips the slashes of "https://". "http://" is one byte shorter, so the first byte of its host is
                // skipped too, which is not a slash.
                //
                // This is a loop, since it runs for each request: in a build without optimization, a search calls a
                // function for each byte.
                var position = "https://".utf8.count
                while position < bytes.count {
                    let byte = bytes[position]
                    if byte == slash || byte == questionMark { return position }
                    position += 1
                }
                return nil
            }
            guard let endOfOrigin else { return url[...] }
            return url[..<url.utf8.index(url.startIndex, offsetBy: endOfOrigin)]
        }
    }
}
#endif
