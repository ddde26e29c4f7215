import Foundation

@testable import APIKitClients
@testable import APIKitCore

extension FuzzTarget {
    /// The first parameter of a name counts, no element hides one before it, and what is read is read again from the
    /// standard form.
    static let challenges = FuzzTarget(
        "challenges",
        seeds: [
            #"Newauth realm="apps", type=1, title="Login to \"apps\"", Basic realm="simple""#,
            "Negotiate YII=, NTLM TlRM+/._~-aa==,Bearer", #"Bearer a = b,,b="\\", c="x"#, "Bearer\n a=1, Basic\n b=2",
            #"DPoP error="use_dpop_nonce", {x} a=b, Bearer; scope=c"#, "a=b, Bearer =, Bearer abc==x, é",
        ]
    ) { input in
        let lines = input.parts(3)
        let challenges = read(lines)
        for challenge in challenges {
            require(!challenge.scheme.rawValue.isEmpty, "\(lines)")
            _ = (challenge.description, challenge["realm"])
            require(read([written(challenge)]) == [challenge], "\(lines)")
        }
        let text = lines[0]
        require(read(["Basic realm=r, \(text)"])[0]["REALM"] == "r", text)
        if !text.utf8.contains(UInt8(ascii: "\"")) {
            require(read(["\(text), Bearer scope=z"]).last?["scope"] == "z", text)
        }
        // The headers are one list, in which each quoted string ends with its header.
        require(read(lines + ["Bearer scope=z"]).count == challenges.count + 1, "\(lines)")
    }

    private static func read(_ lines: [String]) -> [AuthenticationChallenge] {
        HTTPHeaders(lines.map { .init(name: .wwwAuthenticate, value: $0) }).challenges
    }

    /// The standard form of a challenge, with each value as a quoted string.
    private static func written(_ challenge: AuthenticationChallenge) -> String {
        let parameters = challenge.parameters.map { field in
            let backslash = UInt8(ascii: "\\")
            let bytes = field.value.utf8.flatMap { byte in
                [backslash, UInt8(ascii: "\"")].contains(byte) ? [backslash, byte] : [byte]
            }
            return "\(field.name)=\"\(String(decoding: bytes, as: UTF8.self))\""
        }
        guard let token = challenge.token68 else {
            return "\(challenge.scheme) \(parameters.joined(separator: ", "))"
        }
        return "\(challenge.scheme) \(([token] + parameters).joined(separator: ", "))"
    }
}
