import Foundation

/// The differences between the platforms' socket interfaces; no other file depends on the platform.
enum Platform {
    #if canImport(Glibc)
    static let streamSocket = Int32(SOCK_STREAM.rawValue)
    #else
    static let streamSocket = SOCK_STREAM
    #endif

    #if canImport(Darwin)
    static let sendFlags: Int32 = 0
    #else
    static let sendFlags = Int32(MSG_NOSIGNAL)
    #endif

    /// Turns the SIGPIPE of a send to a disconnected client into an error, on platforms where `sendFlags` cannot.
    static func disableSIGPIPE(on socket: Socket) {
        #if canImport(Darwin)
        socket.set(SO_NOSIGPIPE, at: SOL_SOCKET, to: Int32(1))
        #endif
    }
}
