import Foundation

/// The codes and tokens that an authorization server has issued, and the rules by which they become invalid.
struct Grants: Sendable {
    /// What a client was allowed.
    struct Grant: Sendable {
        var clientID: String
        var scopes: [String]
        /// The protected resource that tokens are for (RFC 8707); nil for any.
        var resource: String?
    }

    /// How refresh tokens are replaced.
    enum Rotation: Sendable {
        /// A refresh token stays valid, and a refresh returns none.
        case none
        /// A refresh token is valid once. Using it again revokes all tokens of its family.
        case strict
        /// A refresh token stays valid until a token that has replaced it is used.
        case overlapping
    }

    /// What the authorization endpoint remembers for a code.
    struct Code: Sendable {
        var grant: Grant
        var redirectURI: String
        /// The challenge of PKCE (RFC 7636); nil if the client sent none.
        var challenge: String?
        fileprivate var family: Int?
    }

    /// A device's request (RFC 8628).
    struct Device: Sendable {
        enum Decision: Sendable { case pending, approved, denied, expired }
        var grant: Grant
        var userCode: String
        var decision = Decision.pending
    }

    private struct AccessToken {
        let grant: Grant
        let family: Int
        let expires: Date?
        /// The refresh token that becomes invalid once this token is used.
        let predecessor: String?
    }

    private struct RefreshToken {
        let grant: Grant
        let family: Int
        let predecessor: String?
        var isReplaced = false
    }

    /// The tokens of a response.
    struct Issued: Sendable {
        let accessToken: String
        let refreshToken: String?
        let grant: Grant
    }

    private var codes: [String: Code] = [:]
    private var devices: [String: Device] = [:]
    private var accessTokens: [String: AccessToken] = [:]
    private var refreshTokens: [String: RefreshToken] = [:]
    private var revokedFamilies: Set<Int> = []
    private var familyCount = 0
    /// Every code and token that was issued. None of them may appear in a text.
    private(set) var secrets: [String] = []
    /// The number of times that a refresh token was used after it had been replaced.
    private(set) var reuseCount = 0

    // MARK: - Codes

    /// Issues an authorization code.
    mutating func issueCode(for grant: Grant, redirectURI: String, challenge: String?) -> String {
        let code = newSecret("code")
        codes[code] = Code(grant: grant, redirectURI: redirectURI, challenge: challenge)
        return code
    }

    /// A code that has not been used; nil for any other. Using a code again revokes its tokens (RFC 6749, section
    /// 4.1.2).
    mutating func unusedCode(_ text: String) -> Code? {
        guard let code = codes[text] else { return nil }
        if let family = code.family {
            revokedFamilies.insert(family)
            return nil
        }
        return code
    }

    /// Exchanges a code for tokens.
    mutating func redeem(_ text: String, for code: Code, expires: Date?, withRefreshToken: Bool) -> Issued {
        let family = newFamily()
        codes[text]?.family = family
        return issue(code.grant, family: family, expires: expires, withRefreshToken: withRefreshToken)
    }

    // MARK: - Devices

    /// Begins a device's request, and returns its device code.
    mutating func beginDevice(_ grant: Grant, userCode: String) -> String {
        let code = newSecret("device")
        devices[code] = Device(grant: grant, userCode: userCode)
        return code
    }

    func device(_ code: String) -> Device? { devices[code] }

    /// Removes a device's request, whose code is valid once.
    mutating func removeDevice(_ code: String) { devices[code] = nil }

    /// Decides about all devices with this user code.
    mutating func decide(_ decision: Device.Decision, userCode: String) {
        for code in devices.keys where devices[code]?.userCode == userCode { devices[code]?.decision = decision }
    }

    // MARK: - Tokens

    /// Issues the first tokens of a family.
    mutating func issue(_ grant: Grant, expires: Date?, withRefreshToken: Bool) -> Issued {
        issue(grant, family: newFamily(), expires: expires, withRefreshToken: withRefreshToken)
    }

    /// The grant of a valid refresh token; nil for any other.
    ///
    /// With strict rotation, a token that was replaced before revokes its family.
    mutating func grant(ofRefreshToken text: String, rotation: Rotation) -> Grant? {
        guard let token = refreshTokens[text], !revokedFamilies.contains(token.family) else { return nil }
        guard !token.isReplaced else {
            reuseCount += 1
            if rotation == .strict { revokedFamilies.insert(token.family) }
            return nil
        }
        return token.grant
    }

    /// Replaces the tokens of a valid refresh token.
    ///
    /// - Parameters:
    ///   - text: The refresh token.
    ///   - scopes: The scopes of the new access token.
    ///   - expires: When that expires.
    ///   - rotation: Whether there is a new refresh token, and what becomes of the old one.
    /// - Returns: The tokens; nil if the refresh token is unknown.
    mutating func refresh(_ text: String, scopes: [String], expires: Date?, rotation: Rotation) -> Issued? {
        guard let token = refreshTokens[text] else { return nil }
        var grant = token.grant
        grant.scopes = scopes
        if let predecessor = token.predecessor { refreshTokens[predecessor]?.isReplaced = true }
        switch rotation {
        case .none:
            return issue(grant, family: token.family, expires: expires, withRefreshToken: false)
        case .strict:
            refreshTokens[text]?.isReplaced = true
            return issue(grant, family: token.family, expires: expires, withRefreshToken: true)
        case .overlapping:
            return issue(
                grant, family: token.family, expires: expires, withRefreshToken: true, predecessor: text)
        }
    }

    /// The grant of a valid access token, which is being used now; nil for any other.
    mutating func use(accessToken text: String, at date: Date) -> Grant? {
        guard let token = accessTokens[text], !revokedFamilies.contains(token.family) else { return nil }
        if let expires = token.expires, expires <= date { return nil }
        if let predecessor = token.predecessor { refreshTokens[predecessor]?.isReplaced = true }
        return token.grant
    }

    /// Makes all access tokens invalid, as if their time had passed.
    mutating func removeAccessTokens() { accessTokens = [:] }

    /// Revokes a token: an access token alone, and with a refresh token all tokens of its family (RFC 7009, section
    /// 2.1).
    ///
    /// - Returns: Whether the token was valid.
    @discardableResult mutating func revoke(_ text: String, of clientID: String) -> Bool {
        if let token = refreshTokens[text], token.grant.clientID == clientID {
            return revokedFamilies.insert(token.family).inserted
        }
        guard let token = accessTokens[text], token.grant.clientID == clientID else { return false }
        accessTokens[text] = nil
        return true
    }

    /// Revokes all tokens.
    mutating func revokeAll() { revokedFamilies.formUnion(0...familyCount) }

    private mutating func issue(
        _ grant: Grant, family: Int, expires: Date?, withRefreshToken: Bool, predecessor: String? = nil
    ) -> Issued {
        let accessToken = newSecret("access")
        accessTokens[accessToken] = AccessToken(
            grant: grant, family: family, expires: expires, predecessor: predecessor)
        guard withRefreshToken else { return Issued(accessToken: accessToken, refreshToken: nil, grant: grant) }
        let refreshToken = newSecret("refresh")
        refreshTokens[refreshToken] = RefreshToken(grant: grant, family: family, predecessor: predecessor)
        return Issued(accessToken: accessToken, refreshToken: refreshToken, grant: grant)
    }

    private mutating func newFamily() -> Int {
        familyCount += 1
        return familyCount
    }

    /// A text that nobody guesses and that is easy to find.
    private mutating func newSecret(_ kind: String) -> String {
        let secret = "\(kind)-\(secrets.count + 1)-\(UInt64.random(in: .min ... .max))"
        secrets.append(secret)
        return secret
    }
}
