#if os(Linux)
import APIKitCore

/// The handles of a thread that no transfer uses.
struct CurlHandlePool {
    /// The handle that all other handles are copied from, nil before the first transfer. No transfer uses it, so it
    /// keeps the options that it was created with.
    private var original: CurlHandle?
    private var idle: [CurlHandle] = []

    /// How many handles are kept for later transfers: as many as a host has connections by default.
    private static let idleLimit = 64

    /// Removes and returns an idle handle. If there is none, creates one by copying the original, since that costs less
    /// than setting all options.
    ///
    /// - Throws: `TransportError` if no memory is left, or if the installed libcurl lacks a feature that the
    ///   configuration needs.
    mutating func take(for thread: CurlThread) throws(TransportError) -> CurlHandle {
        if let handle = idle.popLast() { return handle }
        let original = try findOrCreateOriginal(for: thread)
        return try CurlHandle(copying: original)
    }

    /// Returns the handle to copy. The first call creates it.
    private mutating func findOrCreateOriginal(for thread: CurlThread) throws(TransportError) -> CurlHandle {
        if let original { return original }
        let newOriginal = try CurlHandle(of: thread)
        original = newOriginal
        return newOriginal
    }

    /// Keeps a handle that a transfer has used, unless enough are kept already.
    mutating func giveBack(_ handle: CurlHandle) {
        handle.endUse()
        if idle.count < Self.idleLimit { idle.append(handle) }
    }

    mutating func removeAll() {
        original = nil
        idle = []
    }
}
#endif
