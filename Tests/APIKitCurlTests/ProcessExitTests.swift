#if os(Linux)
import APIKitCore
import APIKitCurl
import EngineConformance
import Foundation
import Testing

@Suite(.serialized, .timeLimit(.minutes(1))) struct ProcessExitTests {
    /// At `exit`, libraries for TLS release what a transfer may still use.
    @Test(arguments: 0..<(EngineCheck.isSoaking ? 300 : 20)) func exitWithRequestsUnderWaySucceeds(round: Int) async {
        await #expect(processExitsWith: .success) {
            let url = try #require(URL(string: "https://127.0.0.1:\(try portThatClosesConnections())/"))
            let client = CurlClient()
            let (handshakes, handshake) = AsyncStream.makeStream(of: Void.self)
            for _ in 0..<8 {
                Task {
                    while true {
                        _ = try? await client.perform(HTTPRequest(url: url))
                        handshake.yield()
                    }
                }
            }
            for await _ in handshakes.prefix(2) {}
            exit(0)
        }
    }
}

/// A port of 127.0.0.1 whose connections are closed at once.
private func portThatClosesConnections() throws -> UInt16 {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    try withUnsafeMutableBytes(of: &address) { bytes in
        let address = try #require(bytes.baseAddress).assumingMemoryBound(to: sockaddr.self)
        try #require(bind(listener, address, size) == 0 && listen(listener, 128) == 0)
        getsockname(listener, address, &size)
    }
    Thread.detachNewThread {
        while case let connection = accept(listener, nil, nil), connection >= 0 { close(connection) }
    }
    return UInt16(bigEndian: address.sin_port)
}
#endif
