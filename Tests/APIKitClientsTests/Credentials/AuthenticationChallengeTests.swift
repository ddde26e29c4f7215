import APIKitCore
import Foundation
import TestSupport
import Testing

@testable import APIKitClients

@Suite struct AuthenticationChallengeTests {
    private static func challenges(_ values: String...) -> [AuthenticationChallenge] {
        HTTPHeaders(values.map { .init(name: .wwwAuthenticate, value: $0) }).challenges
    }

    /// A header's value, and each challenge as its scheme and token or its scheme and parameters.
    struct Vector: Sendable, CustomTestStringConvertible {
        let value: String
        let challenges: [String]
        var testDescription: String { value }

        init(_ value: String, _ challenges: String...) { (self.value, self.challenges) = (value, challenges) }
    }

    private static let names = [
        "realm", "type", "title", "charset", "qop", "algorithm", "nonce", "opaque", "scope", "error",
        "error_description", "resource_metadata", "algs", "a", "b",
    ]

    private static func text(_ challenge: AuthenticationChallenge) -> String {
        let parameters = names.compactMap { name in challenge[name].map { "\(name)=\($0)" } }
        return ([challenge.scheme.rawValue] + [challenge.token68].compactMap { $0 } + parameters).joined(
            separator: " | ")
    }

    static let published: [Vector] = [
        // RFC 9110, section 11.6.1; RFC 7235, section 4.1.
        Vector(
            #"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#,
            "Basic | realm=simple", #"Newauth | realm=apps | type=1 | title=Login to "apps""#),
        Vector(
            #"Newauth realm="apps", type=1, title="Login to \"apps\"", Basic realm="simple""#,
            #"Newauth | realm=apps | type=1 | title=Login to "apps""#, "Basic | realm=simple"),
        // RFC 7617, sections 2 and 2.1.
        Vector(#"Basic realm="WallyWorld""#, "Basic | realm=WallyWorld"),
        Vector(#"Basic realm="foo", charset="UTF-8""#, "Basic | realm=foo | charset=UTF-8"),
        // RFC 7616, section 3.9.1.
        Vector(
            #"Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, "#
                + #"nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", "#
                + #"opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#,
            "Digest | realm=http-auth@example.org | qop=auth, auth-int | algorithm=SHA-256 | "
                + "nonce=7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v | "
                + "opaque=FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"),
        // RFC 4559, section 5.
        Vector("Negotiate", "Negotiate"),
        Vector("Negotiate 749efa7b23409c20b92356", "Negotiate | 749efa7b23409c20b92356"),
        // RFC 6750, section 3.
        Vector(#"Bearer realm="example""#, "Bearer | realm=example"),
        Vector(
            #"Bearer realm="example", error="invalid_token", error_description="The access token expired""#,
            "Bearer | realm=example | error=invalid_token | error_description=The access token expired"),
        // RFC 9728, section 5.1.
        Vector(
            #"Bearer resource_metadata="https://resource.example.com/.well-known/oauth-protected-resource""#,
            "Bearer | resource_metadata=https://resource.example.com/.well-known/oauth-protected-resource"),
        // RFC 9449, sections 7.1, 7.2 and 9.
        Vector(
            #"DPoP error="invalid_token", error_description="Invalid DPoP key binding", algs="ES256""#,
            "DPoP | error=invalid_token | error_description=Invalid DPoP key binding | algs=ES256"),
        Vector(#"Bearer, DPoP algs="ES256 PS256""#, "Bearer", "DPoP | algs=ES256 PS256"),
        Vector(
            #"DPoP error="use_dpop_nonce", error_description="Resource server requires nonce in DPoP proof""#,
            "DPoP | error=use_dpop_nonce | error_description=Resource server requires nonce in DPoP proof"),
    ]

    static let syntax: [Vector] = [
        Vector("Negotiate YII=, NTLM TlRM+/._~-aa==,Bearer", "Negotiate | YII=", "NTLM | TlRM+/._~-aa==", "Bearer"),
        Vector("Bearer a = b , b\t=\t\"c\"", "Bearer | a=b | b=c"),
        Vector(" \tBearer \t a=b \t", "Bearer | a=b"),
        Vector(",, ,Bearer a=b,,\t, b=c,", "Bearer | a=b | b=c"), Vector(""), Vector(" , ,"),
        Vector("Bearer,Basic", "Bearer", "Basic"), Vector("Bearer , Basic a=b", "Bearer", "Basic | a=b"),
        Vector("bEARER A=1, a=2", "bEARER | a=1"), Vector(#"Bearer a="""#, "Bearer | a="),
        Vector(#"Bearer a="x, Basic b=\"c", b="\\""#, #"Bearer | a=x, Basic b="c | b=\"#),
        // Text in UTF-8, and a value that begins with a combining character.
        Vector("Bearer a=\"é\u{301}\", b=\u{301}", "Bearer | a=é\u{301} | b=\u{301}"),
        // Without quotes, as some servers send URLs.
        Vector("Bearer a=https://h/?q=1, b=x y", "Bearer | a=https://h/?q=1 | b=x y"),
        // By the grammar, these are a token, a scheme alone, and a parameter of nothing.
        Vector("Bearer a=", "Bearer | a="), Vector("Bearer a=b, x", "Bearer | a=b", "x"), Vector("a=b"),
    ]

    static let malformed: [Vector] = [
        // An unreadable parameter is skipped alone.
        Vector(#"Bearer a="x, b=c, Basic realm=d"#, "Bearer | b=c", "Basic | realm=d"),
        Vector(#"Bearer a="x" y, b=c"#, "Bearer | b=c"),
        Vector(#"Bearer realm=r, a="x\", b=c"#, "Bearer | realm=r | b=c"),
        Vector("Bearer =, a=b"), Vector("Bearer a=b, =c, b=d", "Bearer | a=b"),
        // Parameters of an unreadable challenge are not those of the one before it.
        Vector("Bearer a=b, {x} realm=r, b=c, Basic realm=s", "Bearer | a=b", "Basic | realm=s"),
        Vector("Bearer; a=b, b=c"), Vector(#"Bearer"x" a=b, Basic a=c"#, "Basic | a=c"), Vector("\"Bearer\" a=b"),
        // What follows a scheme is neither a token nor a parameter.
        Vector("Bearer {x}, a=b", "Bearer | a=b"), Vector("Bearer x y, a=b", "Bearer | a=b"),
        Vector("Bearer abc==x", "Bearer"), Vector("Bearer \u{0}, é a=b, \u{7F}", "Bearer"),
        // A token and parameters.
        Vector("Negotiate YII=, a=b", "Negotiate | YII= | a=b"),
    ]

    @Test(arguments: published + syntax + malformed) func reads(vector: Vector) {
        #expect(Self.challenges(vector.value).map(Self.text) == vector.challenges)
    }

    /// The headers are one list (RFC 9110, section 5.3), but an open quote ends with its header.
    @Test func readsEveryHeaderInOrder() {
        let challenges = Self.challenges("Negotiate", "a=1, Basic a=\"2", #"b="3", Bearer a=4"#)
        #expect(challenges.map(Self.text) == ["Negotiate | a=1", "Basic | b=3", "Bearer | a=4"])
        #expect(HTTPHeaders().challenges.isEmpty)
        #expect(HTTPHeaders([.init(name: "Proxy-Authenticate", value: "Basic")]).challenges.isEmpty)
    }

    @Test func namesIgnoreCase() throws {
        let challenge = try #require(Self.challenges(#"BEARER Scope="read write", SCOPE="admin""#).first)
        #expect(challenge.scheme == .bearer)
        #expect(challenge.scheme.rawValue == "BEARER")
        #expect(challenge.scheme.hashValue == AuthenticationChallenge.Scheme.bearer.hashValue)
        #expect(challenge.scheme != .basic)
        #expect(challenge["sCoPe"] == "read write")
        #expect(challenge["scop"] == nil)
        #expect(Self.challenges("dpop, DIGEST, basic").map(\.scheme) == [.dpop, .digest, .basic])
        #expect(Self.challenges("Negotiate x").first == Self.challenges("negotiate x").first)
        #expect(Self.challenges("Negotiate x").first != Self.challenges("Negotiate X").first)
    }

    @Test func descriptionsMaskSecrets() {
        let text = #"Negotiate c2VjcmV0, Bearer realm="a b", access_token="s3cret", Basic"#
        let descriptions = Self.challenges(text).map(\.description)
        #expect(descriptions == ["Negotiate ***", #"Bearer realm="a b", access_token="***""#, "Basic"])
    }

    @Test func readsAnyText() {
        var texts = SeededText(seed: 9110)
        for _ in 0..<2000 {
            let text = texts.next()
            for challenge in Self.challenges(text) { _ = (challenge["name"], challenge.description) }
            let first = Self.challenges("Basic realm=r, \(text)").first
            #expect(first.map { $0.scheme == .basic && $0["realm"] == "r" } == true, "\(text.debugDescription)")
            // Whatever is before it, a challenge after a comma is found, unless a quotation mark is open.
            let isOpen = text.utf8.contains(UInt8(ascii: "\""))
            let last = Self.challenges("\(text), Bearer scope=z").last
            let isFound = last?.scheme == .bearer && last?["scope"] == "z"
            #expect(isOpen || isFound, "\(text.debugDescription)")
        }
    }
}
