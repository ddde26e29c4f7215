import Foundation

/// Where the platforms' socket interfaces differ; every other file is the same everywhere.
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

    /// Makes a send to a client that has gone an error instead of a SIGPIPE, where `sendFlags` cannot.
    static func disableSIGPIPE(on socket: Socket) {
        #if canImport(Darwin)
        socket.set(SO_NOSIGPIPE, at: SOL_SOCKET, to: Int32(1))
        #endif
    }
}
