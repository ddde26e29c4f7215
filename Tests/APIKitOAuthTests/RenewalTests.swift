import APIKitClients
import APIKitCore
import Foundation
import Testing

@testable import APIKitOAuth

/// The table of ``Renewal``, without a server.
@Suite struct RenewalTests {
    private static let now = Date(timeIntervalSince1970: 1_000_000)
    private static let valid = tokens("stored")
    private static let lasting = tokens("stored", refreshToken: nil)
    private static let expired = tokens("stored", expiresIn: -1)
    private static let expiredLasting = tokens("stored", refreshToken: nil, expiresIn: -1)

    private static func tokens(
        _ accessToken: String, refreshToken: String? = "refresh", expiresIn seconds: TimeInterval = 10,
        scopes: [String] = ["read"], requested: [String]? = ["read"]
    ) -> OAuthTokens {
        OAuthTokens(
            accessToken: accessToken, refreshToken: refreshToken, expires: now.addingTimeInterval(seconds),
            scopes: scopes, requestedScopes: requested)
    }

    private static func renewal(
        _ reason: OAuth.Reason, _ tokens: OAuthTokens?, programScopes: [String]? = ["read"],
        listedScopes: [String] = [], needsUser: Bool = true, signsInAutomatically: Bool = true,
        after seconds: TimeInterval = 0
    ) -> Renewal {
        Renewal(
            reason: reason, tokens: tokens, programScopes: programScopes, listedScopes: listedScopes,
            needsUser: needsUser, signsInAutomatically: signsInAutomatically, now: now.addingTimeInterval(seconds))
    }

    /// Nothing was obtained lately.
    private static let noLimits = RenewalLimits()

    /// What is counted if a renewal is carried out so many times.
    private static func limits(after renewal: Renewal, _ count: Int) -> RenewalLimits {
        var limits = noLimits
        for _ in 0..<count { limits.record(renewal.action(within: limits), of: renewal) }
        return limits
    }

    private static func refusal(_ status: Int, _ challenge: String) throws -> APIKitOAuth.Refusal {
        let url = try #require(URL(string: "https://api.example.com/things"))
        return APIKitOAuth.Refusal(
            HTTPResponse(head: .init(status: status, headers: [.wwwAuthenticate: "Bearer \(challenge)"], url: url)))
    }

    // MARK: - The program signs in

    private static let signIns: [(tokens: OAuthTokens?, added: [String], unaccepted: String?, action: Renewal.Action)] =
        [
            (nil, [], nil, .signIn),
            (valid, [], nil, .use(valid)),
            (lasting, [], nil, .use(lasting)),
            (expired, [], nil, .refresh(expired)),
            (expiredLasting, [], nil, .signIn),
            (valid, [], "stored", .signIn),
            (valid, [], "another", .use(valid)),
            (valid, ["read"], nil, .use(valid)),
            (valid, ["write"], nil, .signIn),
        ]

    @Test(arguments: signIns) func decidesAboutASignIn(
        tokens: OAuthTokens?, added: [String], unaccepted: String?, action: Renewal.Action
    ) {
        let reason = OAuth.Reason.signIn(addingScopes: added, replacing: unaccepted.map { .bearer($0) })
        #expect(Self.renewal(reason, tokens).action(within: Self.noLimits) == action)
    }

    /// The scopes that were granted and requested, and those of the program.
    private static let scopes: [(granted: [String], requested: [String]?, program: [String]?, isUsed: Bool)] = [
        (["read"], ["read"], ["read", "write"], false),
        // The user has granted less.
        (["read"], ["read", "write"], ["read", "write"], true),
        // Tokens of an earlier version.
        (["read"], nil, ["read"], true),
        (["read"], nil, ["read", "write"], false),
        (["read,write"], nil, ["read", "write"], true),
        // A program without scopes, and an API that names them.
        (["read"], [], [], true),
        (["read"], nil, nil, true),
    ]

    @Test(arguments: scopes) func comparesTheScopesOfTheProgramWithThoseThatWereRequested(
        granted: [String], requested: [String]?, program: [String]?, isUsed: Bool
    ) {
        let tokens = Self.tokens("stored", scopes: granted, requested: requested)
        let reason = OAuth.Reason.signIn(addingScopes: [], replacing: nil)
        let renewal = Self.renewal(reason, tokens, programScopes: program)
        #expect(renewal.action(within: Self.noLimits) == (isUsed ? .use(tokens) : .signIn))
    }

    // MARK: - Tokens that expire or are refused

    private static let expiries: [(tokens: OAuthTokens?, credential: String, needsUser: Bool, action: Renewal.Action)] =
        [
            (nil, "stored", true, .signIn),
            (valid, "another", true, .use(valid)),
            (valid, "stored", true, .refresh(valid)),
            (lasting, "stored", true, .use(lasting)),
            (lasting, "stored", false, .signIn),
            (expired, "another", true, .refresh(expired)),
            (expiredLasting, "another", true, .signIn),
        ]

    @Test(arguments: expiries) func decidesAboutAnExpiry(
        tokens: OAuthTokens?, credential: String, needsUser: Bool, action: Renewal.Action
    ) {
        let renewal = Self.renewal(.expiring(.bearer(credential)), tokens, needsUser: needsUser)
        #expect(renewal.action(within: Self.noLimits) == action)
    }

    private static let refusals: [(tokens: OAuthTokens?, credential: String, action: Renewal.Action)] = [
        (nil, "stored", .signIn),
        (valid, "another", .use(valid)),
        (valid, "stored", .refresh(valid)),
        (lasting, "stored", .signIn),
        (expired, "another", .refresh(expired)),
    ]

    @Test(arguments: refusals) func decidesAboutARefusal(
        tokens: OAuthTokens?, credential: String, action: Renewal.Action
    ) throws {
        let refusal = try Self.refusal(401, #"error="invalid_token""#)
        #expect(Self.renewal(.refused(.bearer(credential), refusal), tokens).action(within: Self.noLimits) == action)
    }

    // MARK: - Scopes that do not suffice

    /// A refusal for scopes: the stored tokens, the refused one, the program's scopes, and whether there is a user.
    private static let scopeRefusals:
        [(tokens: OAuthTokens?, credential: String, program: [String]?, needsUser: Bool, action: Renewal.Action)] = [
            (valid, "stored", ["read"], true, .signInAdding(["write"])),
            (valid, "stored", nil, false, .signInAdding(["write"])),
            (valid, "stored", ["read"], false, .keepRefusal),
            (tokens("stored", requested: ["read", "write"]), "stored", ["read"], true, .keepRefusal),
            // A scope that an update of the program has added.
            (valid, "stored", ["read", "write"], true, .signInAdding(["write"])),
            (nil, "stored", ["read", "write"], true, .keepRefusal),
            (valid, "another", ["read"], true, .signInAdding(["write"])),
        ]

    @Test(arguments: scopeRefusals) func decidesAboutScopesThatDoNotSuffice(
        tokens: OAuthTokens?, credential: String, program: [String]?, needsUser: Bool, action: Renewal.Action
    ) throws {
        let refusal = try Self.refusal(403, #"error="insufficient_scope", scope="read write""#)
        let renewal = Self.renewal(
            .refused(.bearer(credential), refusal), tokens, programScopes: program, needsUser: needsUser)
        #expect(renewal.action(within: Self.noLimits) == action)
    }

    @Test func usesTokensThatHaveTheScopes() throws {
        let tokens = Self.tokens("stored", scopes: ["read", "write"])
        let refusal = try Self.refusal(403, #"error="insufficient_scope", scope="write""#)
        let ofAnother = Self.renewal(.refused(.bearer("another"), refusal), tokens)
        #expect(ofAnother.action(within: Self.noLimits) == .use(tokens))
        let ofStored = Self.renewal(.refused(.bearer("stored"), refusal), tokens)
        #expect(ofStored.action(within: Self.noLimits) == .keepRefusal)
    }

    @Test func refreshesTokensThatHadTheScopes() throws {
        let refusal = try Self.refusal(403, #"error="insufficient_scope", scope="write""#)
        let expired = Self.tokens("stored", expiresIn: -1, scopes: ["read", "write"])
        let ofAnother = Self.renewal(.refused(.bearer("another"), refusal), expired)
        #expect(ofAnother.action(within: Self.noLimits) == .refresh(expired))
        let ofStored = Self.renewal(.refused(.bearer("stored"), refusal), expired)
        #expect(ofStored.action(within: Self.noLimits) == .keepRefusal)
        let lasting = Self.tokens("stored", refreshToken: nil, expiresIn: -1, scopes: ["read", "write"])
        let withoutRefresh = Self.renewal(.refused(.bearer("another"), refusal), lasting)
        #expect(withoutRefresh.action(within: Self.noLimits) == .keepRefusal)
    }

    @Test func needsTheListedScopesIfTheRefusalNamesNone() throws {
        let refusal = try Self.refusal(403, #"error="insufficient_scope""#)
        let renewal = Self.renewal(
            .refused(.bearer("stored"), refusal), Self.valid, listedScopes: ["read", "write", "admin"])
        #expect(renewal.action(within: Self.noLimits) == .signInAdding(["write", "admin"]))
    }

    @Test func requestsAllScopesThatAreKnown() {
        let tokens = Self.tokens("stored", scopes: ["read", "granted"], requested: ["read", "requested"])
        let renewal = Self.renewal(
            .signIn(addingScopes: ["read", "added"], replacing: nil), tokens, programScopes: ["program", "read"])
        #expect(renewal.scopes(at: ["offline_access"]) == ["program", "read", "requested", "granted", "added"])
    }

    // GitHub separates the scopes that it has granted by commas.
    @Test func requestsNoListOfScopesAsAScope() {
        let tokens = Self.tokens("stored", scopes: ["write,read", "read,other"], requested: ["read", "write"])
        let renewal = Self.renewal(
            .signIn(addingScopes: ["added"], replacing: nil), tokens, programScopes: ["read", "write"])
        #expect(renewal.scopes(at: []) == ["read", "write", "read,other", "added"])
    }

    // MARK: - Limits

    private static func refused(_ credential: String) throws -> OAuth.Reason {
        .refused(.bearer(credential), try refusal(401, #"error="invalid_token""#))
    }

    @Test func refusesATokenOfARecentSignIn() throws {
        var limits = Self.noLimits
        limits.recordSignIn(.bearer("stored"), at: Self.now)
        let reason = try Self.refused("stored")
        #expect(Self.renewal(reason, Self.lasting).action(within: limits) == .fail(.refusesNewTokens))
        // The refresh token may have been issued for another API than the access token.
        #expect(Self.renewal(reason, Self.valid).action(within: limits) == .refresh(Self.valid))
        let lasting = Self.tokens("stored", refreshToken: nil, expiresIn: 100)
        #expect(Self.renewal(reason, lasting, after: 59).action(within: limits) == .fail(.refusesNewTokens))
        #expect(Self.renewal(reason, lasting, after: 60).action(within: limits) == .signIn)
        #expect(Self.renewal(try Self.refused("stored"), Self.expiredLasting).action(within: limits) == .signIn)
    }

    @Test(arguments: [valid, lasting]) func replacesFiveRefusedTokensWithinAMinute(tokens: OAuthTokens) throws {
        let renewal = Self.renewal(try Self.refused("stored"), tokens)
        #expect(renewal.action(within: Self.limits(after: renewal, 4)) != .fail(.refusesNewTokens))
        let limits = Self.limits(after: renewal, 5)
        #expect(renewal.action(within: limits) == .fail(.refusesNewTokens))
        var later = tokens
        later.expires = nil
        let laterRenewal = Self.renewal(try Self.refused("stored"), later, after: 60)
        #expect(laterRenewal.action(within: limits) != .fail(.refusesNewTokens))
        // Tokens that have expired are not refused.
        let expired = Self.renewal(try Self.refused("stored"), Self.expired)
        #expect(expired.action(within: limits) == .refresh(Self.expired))
    }

    @Test func countsOnlyRefusalsInWhosePlaceTokensAreObtained() throws {
        let renewal = Self.renewal(try Self.refused("stored"), Self.lasting, signsInAutomatically: false)
        #expect(renewal.action(within: Self.limits(after: renewal, 10)) == .signIn)
        let used = Self.renewal(try Self.refused("another"), Self.valid)
        let refused = Self.renewal(try Self.refused("stored"), Self.valid)
        #expect(refused.action(within: Self.limits(after: used, 10)) == .refresh(Self.valid))
    }

    @Test func asksThriceAnHourForMoreScopesOfAnOperation() throws {
        let refusal = try Self.refusal(403, #"error="insufficient_scope", scope="write""#)
        let reason = OAuth.Reason.refused(.bearer("stored"), refusal)
        let renewal = Self.renewal(reason, Self.valid)
        #expect(renewal.action(within: Self.limits(after: renewal, 2)) == .signInAdding(["write"]))
        let limits = Self.limits(after: renewal, 3)
        #expect(renewal.action(within: limits) == .keepRefusal)
        #expect(Self.renewal(reason, Self.valid, after: 3600).action(within: limits) == .signInAdding(["write"]))
        let url = try #require(URL(string: "https://api.example.com/others"))
        let otherRefusal = APIKitOAuth.Refusal(
            HTTPResponse(
                head: .init(
                    status: 403,
                    headers: [.wwwAuthenticate: #"Bearer error="insufficient_scope", scope="write""#], url: url)))
        let other = Self.renewal(.refused(.bearer("stored"), otherRefusal), Self.valid)
        #expect(other.action(within: limits) == .signInAdding(["write"]))
    }

    private static let starts: [(isSignIn: Bool, needsUser: Bool, isAutomatic: Bool, problem: Renewal.Problem?)] = [
        (false, true, true, nil),
        (false, true, false, .nobodyIsSignedIn),
        (false, false, false, nil),
        (true, true, false, nil),
        (true, true, true, nil),
    ]

    @Test(arguments: starts) func decidesWhetherTheFlowMayStart(
        isSignIn: Bool, needsUser: Bool, isAutomatic: Bool, problem: Renewal.Problem?
    ) {
        let reason: OAuth.Reason =
            isSignIn ? .signIn(addingScopes: [], replacing: nil) : .expiring(.bearer("stored"))
        let renewal = Self.renewal(reason, nil, needsUser: needsUser, signsInAutomatically: isAutomatic)
        #expect(renewal.signInProblem(within: Self.noLimits, at: Self.now) == problem)
        // After five sign-ins that requests have led to, only the program asks the user.
        var limits = Self.noLimits
        for _ in 0..<5 { limits.recordAutomaticSignIn(at: Self.now) }
        let laterProblem: Renewal.Problem? = renewal.isAutomaticSignIn ? problem ?? .hasAskedTooOften : nil
        #expect(renewal.signInProblem(within: limits, at: Self.now) == laterProblem)
        let date = Self.now.addingTimeInterval(60)
        #expect(renewal.signInProblem(within: limits, at: date) == problem)
        limits.forgetSignIns()
        #expect(renewal.signInProblem(within: limits, at: Self.now) == problem)
    }

    // MARK: - A refresh that failed

    private static let failures:
        [(error: OAuthError, isRegistered: Bool, request: Renewal.FailedRefresh, signIn: Renewal.FailedRefresh)] = [
            (refused("invalid_grant"), false, .forgetRefreshToken, .forgetRefreshToken),
            (refused("bad_refresh_token"), true, .forgetRefreshToken, .forgetRefreshToken),
            (refused("invalid_refresh_token"), true, .forgetRefreshToken, .forgetRefreshToken),
            (refused("invalid_client"), true, .forgetClient, .forgetClient),
            (refused("invalid_client"), false, .fail, .signIn),
            (refused("invalid_request"), true, .fail, .signIn),
            (refused(nil), true, .signIn, .signIn),
            (OAuthError(.badResponse, ""), true, .fail, .signIn),
            (OAuthError(.serverFailed, "", serverCode: "invalid_grant"), true, .fail, .fail),
            (OAuthError(.storeFailed, ""), true, .fail, .fail),
        ]

    private static func refused(_ code: String?) -> OAuthError { OAuthError(.refused, "", serverCode: code) }

    @Test(arguments: failures) func decidesAboutARefreshThatFailed(
        error: OAuthError, isRegistered: Bool, request: Renewal.FailedRefresh, signIn: Renewal.FailedRefresh
    ) {
        #expect(Renewal.afterFailure(error, isSignIn: false, isRegisteredClient: isRegistered) == request)
        #expect(Renewal.afterFailure(error, isSignIn: true, isRegisteredClient: isRegistered) == signIn)
    }
}
