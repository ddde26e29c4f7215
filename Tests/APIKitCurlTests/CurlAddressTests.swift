#if os(Linux)
import APIKitCore
import APIKitCurl
import EngineConformance
import Foundation
import TestTraits
import Testing

@Suite(.exclusive, .timeLimit(.minutes(10))) struct CurlAddressTests {
    /// `Tests/Environment/with-nginx` gives this process the name `two.test`, with both addresses, of which the first
    /// comes first.
    @Test(.enabled(if: EngineCheck.hasSecureServer)) func deadAddressIsFollowedByAnother() async throws {
        let dead = try LoopbackPort("127.0.0.1")
        let live = try LoopbackPort("127.0.0.2", dead.number)
        dead.fill()
        live.answer()
        let url = try #require(URL(string: "http://two.test:\(live.number)/"))
        let request = HTTPRequest(url: url, options: RequestOptions(timeout: .seconds(2)))
        let response = try await CurlClient().perform(request)
        #expect(response.body.data == Data("ok".utf8))
        #expect(try #require(response.timing.connect) > .milliseconds(100))
    }

    @Test func connectTimeoutEndsTheWaitForAConnection() async throws {
        let dead = try LoopbackPort("127.0.0.1")
        dead.fill()
        var configuration = CurlClient.Configuration()
        configuration.connectTimeout = .milliseconds(200)
        let url = try #require(URL(string: "http://127.0.0.1:\(dead.number)/"))
        let error = await #expect(throws: TransportError.self) {
            try await CurlClient(configuration).perform(HTTPRequest(url: url))
        }
        #expect(error?.code == .timedOut)
    }
}

/// A port of a loopback address, which either answers or does not respond to attempts to connect.
private final class LoopbackPort {
    private var sockets: [Int32] = []
    private var address = sockaddr_in()

    /// Creates one with a number, 0 for any.
    init(_ host: String, _ number: Int = 0) throws {
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr(host)
        address.sin_port = in_port_t(number).bigEndian
        let listener = makeSocket()
        try #require(withAddress { bind(listener, $0, $1) } == 0 && listen(listener, 0) == 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        try #require(withAddress { address, _ in getsockname(listener, address, &size) } == 0)
    }

    deinit {
        for socket in sockets { close(socket) }
    }

    var number: Int { Int(in_port_t(bigEndian: address.sin_port)) }

    /// From now on attempts to connect remain without a response, since more connections than fit wait to be accepted.
    func fill() {
        for _ in 0..<4 {
            let waiting = makeSocket(SOCK_NONBLOCK.rawValue)
            _ = withAddress { connect(waiting, $0, $1) }
        }
    }

    /// Answers one request.
    func answer() {
        let listener = sockets[0]
        Thread.detachNewThread {
            let connection = accept(listener, nil, nil)
            var request = [UInt8](repeating: 0, count: 4096)
            _ = recv(connection, &request, request.count, 0)
            let answer = Data("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)
            _ = answer.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            close(connection)
        }
    }

    private func makeSocket(_ flags: UInt32 = 0) -> Int32 {
        sockets.append(socket(AF_INET, Int32(SOCK_STREAM.rawValue | flags), 0))
        return sockets[sockets.count - 1]
    }

    private func withAddress(_ call: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
#endif
