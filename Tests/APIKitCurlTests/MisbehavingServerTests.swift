#if os(Linux)
import APIKitCore
import APIKitCurl
import Foundation
import EngineConformance
import TestTraits
import Testing

/// HTTP/2 of a server that misbehaves: `Tests/Environment/h2-server`, beside nginx, in `make libcurls`.
@Suite(.exclusive, .enabled(if: port != nil), .timeLimit(.minutes(10))) struct MisbehavingServerTests {
    private let client = CurlClient(configuration)

    /// Performs a request for a behavior of the server, with a key of its own, and counts how often it arrived there.
    private func perform(
        _ behavior: String, _ method: HTTPMethod = .post, reusing isReused: Bool = false
    ) async throws -> (result: Result<HTTPResponse, TransportError>, count: Int) {
        let key = (0..<16).map { _ in String("acegimoqsuwy".randomElement() ?? "a") }.joined()
        func url(_ path: String) throws -> URL {
            try #require(URL(string: "https://127.0.0.1:\(port ?? "")/\(path)/\(key)"))
        }
        let options = RequestOptions(timeout: .seconds(4))
        if isReused { _ = try await client.perform(HTTPRequest(url: try url("count"), options: options)) }
        let body = method == .get ? nil : RequestBody.data(Data(count: 300), contentType: nil)
        let request = HTTPRequest(method: method, url: try url(behavior), body: body, options: options)
        let result: Result<HTTPResponse, TransportError>
        do {
            result = .success(try await client.perform(request))
        } catch let error as TransportError { result = .failure(error) }
        let count = try await CurlClient(Self.configuration).perform(
            HTTPRequest(url: try url("count"), options: options))
        return (result, Int(String(decoding: count.body.data ?? Data(), as: UTF8.self)) ?? -1)
    }

    private static var configuration: CurlClient.Configuration {
        var configuration = CurlClient.Configuration()
        configuration.rootCertificates = environment["APIKIT_NGINX_CA"].map { URL(filePath: $0) }
        return configuration
    }

    // RFC 9112, section 9.8. The OpenSSL 1.1.1 within the wheel of 7.76 neither reports the end nor can be asked.
    @Test(.disabled(if: environment["APIKIT_LIBCURL"] == "7.76"), arguments: [ResponseBody.Delivery.data, .stream])
    func bodyThatEndsWithTheConnectionNeedsTheAlert(delivery: ResponseBody.Delivery) async throws {
        var configuration = Self.configuration
        configuration.httpVersion = .http1
        let client = CurlClient(configuration)
        func body(of path: String) async throws -> Data {
            let url = try #require(URL(string: "https://127.0.0.1:\(port ?? "")/\(path)"))
            return try await client.perform(HTTPRequest(url: url, delivery: delivery)).body.bytes.data(upTo: 100)
        }
        #expect(try await body(of: "whole") == Data("whole".utf8))
        let error = await #expect(throws: TransportError.self) { _ = try await body(of: "truncated") }
        #expect(error?.code == .connectionLost)
    }

    // RFC 9113, section 8.1.1.
    @Test(arguments: ["name", "status", "field", "twice", "pseudo"], [false, true])
    func malformedHeadIsABadResponse(kind: String, isReused: Bool) async throws {
        for method in [HTTPMethod.get, .post] {
            let (result, count) = try await perform("malformed-head/\(kind)", method, reusing: isReused)
            let error = try #require(throws: TransportError.self) { try result.get() }
            // libcurl 8.16 reports nothing of a head over a kept connection that it refuses.
            let isSilent = try isReused && Self.curlVersion.hasPrefix("libcurl/8.16.") && error.code == .timedOut
            #expect(error.code == .badResponse || isSilent)
            #expect(count == 1)
        }
    }

    @Test(arguments: [false, true]) func streamThatIsResetIsALostConnection(isReused: Bool) async throws {
        let (result, count) = try await perform("reset/2", reusing: isReused)
        let error = try #require(throws: TransportError.self) { try result.get() }
        #expect(error.code == .connectionLost)
        #expect(count == 1)
    }

    @Test(arguments: [false, true]) func connectionThatClosesIsSentOnceOver(isReused: Bool) async throws {
        let (result, count) = try await perform("close", reusing: isReused)
        #expect(throws: TransportError.self) { try result.get() }
        #expect(count == 1)
    }

    @Test func requestsThatShareAConnectionAreSentAtMostTwice() async throws {
        _ = try await perform("ok", .get)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<16 {
                group.addTask {
                    let method: HTTPMethod = index % 2 == 0 ? .put : .post
                    let (result, count) = try await perform("close", method)
                    #expect(throws: TransportError.self) { try result.get() }
                    // A request that the break of the connection overtakes does not arrive at all.
                    #expect(count <= (method == .put ? 2 : 1))
                }
            }
            try await group.waitForAll()
        }
    }

    /// libcurl 7 loses some of these responses.
    // RFC 9113, section 8.1.
    @Test(arguments: [200, 413]) func responseBeforeTheEndOfTheRequestIsAResponse(status: Int) async throws {
        let body = RequestBody.stream(length: nil, contentType: nil) {
            AsyncStream<Data> { stream in
                for _ in 0..<8 { stream.yield(Data(count: 1 << 16)) }
                stream.finish()
            }
        }
        let url = try #require(URL(string: "https://127.0.0.1:\(port ?? "")/early/\(status)/x"))
        for _ in 0..<24 {
            let request = HTTPRequest(
                method: .put, url: url, body: body, options: RequestOptions(timeout: .seconds(20)))
            do {
                let response = try await client.perform(request)
                #expect(response.head.status == status)
                #expect(response.body.text == "early")
            } catch let error as TransportError {
                #expect(error.code == .connectionLost)
                #expect(try Self.curlVersion.hasPrefix("libcurl/7."))
            }
        }
    }

    /// A connection that is not a kept one cannot have been closed while it was idle.
    @Test(arguments: [false, true], ["close", "reset/2"])
    func idempotentRequestIsSentAgainOnlyOverAKeptConnection(isReused: Bool, behavior: String) async throws {
        let (result, count) = try await perform(behavior, .get, reusing: isReused)
        #expect(throws: TransportError.self) { try result.get() }
        #expect(count == (isReused ? 2 : 1))
    }

    // RFC 9113, section 8.7.
    @Test(arguments: [HTTPMethod.get, .post]) func refusedRequestIsSentAgain(method: HTTPMethod) async throws {
        let (result, count) = try await perform("refused", method)
        #expect(try result.get().head.status == 200)
        #expect(count == 2)
    }

    @Test func requestThatIsRefusedTwiceFails() async throws {
        let (result, count) = try await perform("refused-always")
        let error = try #require(throws: TransportError.self) { try result.get() }
        #expect(error.code == .connectionLost)
        #expect(count == 2)
    }

    /// Over a kept connection, libcurl before 8.3 does not say whether the stream was refused or the connection broke.
    @Test func refusedPostOverAKeptConnectionIsSentAgainIfLibcurlSaysSo() async throws {
        let (result, count) = try await perform("refused", reusing: true)
        if Self.curl("curl_global_trace") != nil {
            #expect(try result.get().head.status == 200)
            #expect(count == 2)
        } else if case .failure(let error) = result {
            #expect(error.code == .connectionLost)
            #expect(count == 1)
        } else {
            // Before 7.80 it had a connection of its own.
            #expect(count == 2)
        }
    }

    private static var curlVersion: String {
        get throws {
            let version = unsafeBitCast(
                try #require(curl("curl_version")), to: (@convention(c) () -> UnsafePointer<CChar>?).self)
            return version().map { String(cString: $0) } ?? ""
        }
    }

    /// A function of libcurl, nil if this version does not have it.
    private static func curl(_ name: String) -> UnsafeMutableRawPointer? {
        dlsym(dlopen("libcurl.so.4", RTLD_NOW), name)
    }
}

private let environment = ProcessInfo.processInfo.environment
private let port = environment["APIKIT_H2_PORT"]
#endif
