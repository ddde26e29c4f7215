#if os(Linux)
import APIKitCore
import APIKitCurl
import EngineConformance
import Foundation
import TestTraits
import Testing

@Suite(.exclusive, .timeLimit(.minutes(10))) struct ProcessExitTests {
    /// At `exit`, libraries for TLS release what a transfer may still use.
    private static let rounds = Effort.isSoaking ? 300 : Effort.rounds(3, thorough: 20)

    @Test(arguments: 0..<rounds) func exitWithRequestsUnderWaySucceeds(round: Int) async {
        await #expect(processExitsWith: .success) {
            let url = try #require(URL(string: "https://127.0.0.1:\(try portThatClosesConnections())/"))
            var configuration = CurlClient.Configuration()
            configuration.rootCertificates = URL(filePath: NSTemporaryDirectory()).appending(path: UUID().uuidString)
            try Data(root.utf8).write(to: try #require(configuration.rootCertificates))
            let client = CurlClient(configuration)
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
            try FileManager.default.removeItem(at: try #require(configuration.rootCertificates))
            exit(0)
        }
    }
}

/// One root, since reading all of the system's takes most of a test's time.
private let root = """
    -----BEGIN CERTIFICATE-----
    MIIBcDCCARWgAwIBAgIUJWs9vujIUMGVP9w1S0KBNVEBilcwCgYIKoZIzj0EAwIw
    DDEKMAgGA1UEAwwBdDAgFw0yNjExMjMxNzUzMDhaGA8yMTI2MTAzMDE3NTMwOFow
    DDEKMAgGA1UEAwwBdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABB6e3ox82XwT
    GdWEDdzL/E20U98RTGUM+yV+s7KPTYcXR3eacnugWEr7hi/HS++5I32IJtThl4G9
    xMTuhv7amlWjUzBRMB0GA1UdDgQWBBRU4darizK0nxRPSqf+CCcoUbodBDAfBgNV
    HSMEGDAWgBRU4darizK0nxRPSqf+CCcoUbodBDAPBgNVHRMBAf8EBTADAQH/MAoG
    CCqGSM49BAMCA0kAMEYCIQDiY3uWa/Y+JWW6xB9gVu0BH3si500hRSz/w9Zzjui/
    1QIhANeuum8MGn4KvoE6edCvgTphTP63maK4JQLpT31Uyp+W
    -----END CERTIFICATE-----
    """

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
