#if os(Linux)
import APIKitCore

/// The handles of a loop that no transfer uses.
struct CurlHandlePool {
    /// The handle that all other handles are copied from, nil before the first transfer.
    private var first: CurlHandle?
    private var idle: [CurlHandle] = []

    /// How many handles are kept for later transfers: as many as a host has connections by default.
    private static let idleLimit = 64

    /// Removes and returns an idle handle, or creates one for the client's configuration.
    ///
    /// - Throws: `TransportError` if no memory is left, or if the installed libcurl lacks a feature that the
    ///   configuration needs.
    mutating func take(
        for configuration: CurlClient.Configuration, _ multi: OpaquePointer
    ) throws(TransportError) -> CurlHandle {
        if let handle = idle.popLast() { return handle }
        let original: CurlHandle
        if let first {
            original = first
        } else {
            original = try CurlHandle(configuration, multi)
            first = original
        }
        return try CurlHandle(copying: original)
    }

    /// Keeps a handle that a transfer has used, unless enough are kept already.
    mutating func giveBack(_ handle: CurlHandle) {
        handle.endUse()
        if idle.count < Self.idleLimit { idle.append(handle) }
    }

    mutating func removeAll() {
        first = nil
        idle = []
    }
}
#endif
