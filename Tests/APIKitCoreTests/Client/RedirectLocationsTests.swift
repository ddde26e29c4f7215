import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

/// Locations that are malformed on purpose, or that say nothing.
@Suite(.timeLimit(.minutes(10))) struct RedirectLocationsTests {
    private let headers: HTTPHeaders = [.authorization: "Bearer hunter2"]

    private static let bad: [[String]] = [
        // Those that are no URLs.
        ["http://"], ["https://"], ["https://["], ["https://exa mple.com:x/"], ["https://h:abc/"], ["///"], ["https:"],
        ["https:/x:y"], ["https:/.//u:p@evil.example/"], ["https:/a/..//evil.example/"],
        // Those that programs read differently.
        ["https://api.example.com\\@evil.example/next"], ["https://api.example.com\\evil.example"],
        ["//evil.example\\next"], ["https://api.example.com@evil.example\\next"],
        ["https://evil.example%2F.api.example.com/"], ["https://api.example%2Ecom/next"],
        ["https://api.example.com\t.evil.example/"], ["https://api.example.com%00/"],
        ["https://api.example.com:65536/"], ["https://api.example.com:99999/"], ["http://[::1]:70000/"],
        ["https://api.example.com:18446744073709551617/"], ["https://api.example.com:0/"], ["//api.example.com:65536"],
        // More than one, and as Foundation hands them out.
        ["/a", "/b"], ["/a", "https://evil.example/"], ["/a", "/a"], ["", "/a"], ["a", "b"], ["/a, /b"],
        ["/a, https://evil.example/"], ["https://api.example.com/a, https://evil.example/"], ["/a, ../b"], ["a, ?b"],
        ["/a,\t/b"], ["/a,  /b"], [", /a"], ["/a, web+app://x"],
    ]

    @Test(arguments: bad) func malformedLocationsAreBadResponses(locations: [String]) async throws {
        let fields = locations.map { HTTPHeaders.Field(name: .location, value: $0) }
        let client = ScriptedClient(.status(302, headers: HTTPHeaders(fields)), .status(200))
        let error = try await client.failure(of: Endpoint<Data, Data>(headers: headers))
        #expect(error.transportCode == .badResponse, "\(client.requests.map(\.url)) \(error)")
        #expect(client.requests.count == 1)
        #expect(error.transport?.url?.absoluteString == "https://api.example.com/things")
    }

    @Test(arguments: [301, 302, 303, 307, 308], [nil, "", " ", "#top"])
    func redirectsToNothingOrToTheSameRequestAreTheResponse(status: Int, location: String?) async throws {
        let client = ScriptedClient(
            .status(status, headers: [.location: location], body: Data("moved".utf8)), .status(200))
        let rejection = try #require(try await client.failure(of: Endpoint<Data, Data>()).rejection)
        #expect(rejection.response.head.status == status)
        #expect(rejection.failure == Data("moved".utf8))
        #expect(client.requests.count == 1)
    }

    @Test(arguments: [301, 302, 303], ["", "#done"])
    func redirectsToTheSameURLAreFollowedIfPOSTBecomesGET(status: Int, location: String) async throws {
        let client = ScriptedClient(.status(status, headers: [.location: location]), .text("done"))
        let endpoint = Endpoint<String, Data>(method: .post, body: .data(Data([1]), contentType: nil))
        #expect(try await client.send(endpoint) == "done")
        #expect(client.requests.map(\.method) == [.post, .get])
        #expect(client.requests.last?.url == client.requests.first?.url)
    }

    @Test func randomLocationsNeverReceiveCredentials() async throws {
        var random = SeededText(seed: 24)
        let starts = [
            "", "/", "//", "https://", "http://", "https://api.example.com", "//evil.example", "https://u@", "?",
        ]
        let hosts = ["", "api.example.com", "evil.example", "api.example.com@evil.example", "[::1]", "evil.example:80"]
        for _ in 0..<2_000 {
            let start = starts.randomElement(using: &random.generator) ?? ""
            let host = hosts.randomElement(using: &random.generator) ?? ""
            let location = start + random.next() + host + random.next()
            let client = ScriptedClient(.status(307, headers: [.location: location]), .status(200))
            _ = try? await client.send(Endpoint<Data, Data>(headers: headers))
            guard client.requests.count == 2, let next = client.requests.last else { continue }
            let url = next.url.absoluteString
            let isHome = next.url.scheme == "https" && next.url.host == "api.example.com" && next.url.port ?? 443 == 443
            #expect((next.headers[.authorization] != nil) == isHome, "\(location.debugDescription) \(url)")
            #expect(next.url.scheme == "https" && next.url.host?.isEmpty == false)
            let isPlain = url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }
            #expect(isPlain, "\(url.debugDescription)")
        }
    }
}
