#if os(Linux)
extension CurlLoop {
    /// The hosts that a loop remembers.
    final class HostTable {
        @exclusivity(unchecked) private var hosts: [Substring: Host] = [:]
        /// The host that was looked up last. Most requests of a client are for the same host as the one before, which
        /// saves the look-up by a hash.
        @exclusivity(unchecked) private var last: Host?

        var all: some Collection<Host> { hosts.values }

        /// Returns the host of a URL: a remembered one, or a new one. ``remember(_:)`` is called for it once a transfer
        /// to it is under way.
        func host(of url: String, _ configuration: CurlClient.Configuration) -> Host {
            let origin = Host.origin(of: url)
            if let last, last.isRemembered, last.origin == origin { return last }
            let host = hosts[origin] ?? Host(origin, configuration)
            last = host
            return host
        }

        func remember(_ host: Host) {
            if host.isRemembered { return }
            hosts[host.origin] = host
            host.isRemembered = true
        }

        /// Forgets a host without transfers, if many hosts are remembered.
        ///
        /// Most hosts get further requests, for which it is worth knowing whether the server supports HTTP/2: then they
        /// can share a connection at once. So more hosts are kept if they have shown that they do. This is called when
        /// a transfer ends, so only that transfer's host can be forgotten, and no order of use has to be kept.
        func forgetIfUnused(_ host: Host) {
            let limit = host.gate.usesHTTP2 ? 1000 : 64
            guard host.gate.activeCount == 0, hosts.count > limit else { return }
            hosts[host.origin] = nil
            host.isRemembered = false
        }
    }
}
#endif
