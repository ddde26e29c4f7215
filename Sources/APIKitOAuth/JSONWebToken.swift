import APIKitCore

/// A JSON Web Token (RFC 7519) that a closure of the user signs.
enum JSONWebToken {
    /// Creates a signed token (RFC 7515, section 7.1).
    ///
    /// - Parameters:
    ///   - header: The type of the token, the algorithm and the key.
    ///   - claims: What the token says.
    ///   - sign: Signs the bytes.
    /// - Returns: The three parts in Base64 for URLs.
    /// - Throws: What signing throws.
    static func signed(
        header: JSONValue, claims: JSONValue, sign: @Sendable (Data) async throws -> Data
    ) async throws -> String {
        let content = "\(encoded(header)).\(encoded(claims))"
        let signature = try await sign(Data(content.utf8))
        return "\(content).\(signature.base64URLEncodedString())"
    }

    /// Creates the token with which a client proves to an authorization server who it is (RFC 7523, section 3). It is
    /// valid for a minute, and only for this server.
    static func clientAssertion(
        of clientID: String, for audience: String, algorithm: String, keyID: String?, now: Date,
        sign: @Sendable (Data) async throws -> Data
    ) async throws -> String {
        var header: JSONValue.Object = ["alg": .string(algorithm), "typ": "JWT"]
        if let keyID { header["kid"] = .string(keyID) }
        let issued = seconds(now)
        let claims: JSONValue = [
            "iss": .string(clientID), "sub": .string(clientID), "aud": .string(audience),
            "jti": .string(RandomText.base64URL()), "iat": .number(JSONValue.Number(issued)),
            "exp": .number(JSONValue.Number(issued + 60)),
        ]
        return try await signed(header: .object(header), claims: claims, sign: sign)
    }

    /// A date as whole seconds since 1970.
    static func seconds(_ date: Date) -> Int { Int(date.timeIntervalSince1970.rounded(.down)) }

    private static func encoded(_ value: JSONValue) -> String {
        Data(value.description.utf8).base64URLEncodedString()
    }
}
