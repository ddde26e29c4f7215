import APIKitClients
import APIKitCore

/// What was obtained lately because a request needed it. The limits keep an API that refuses whatever the server
/// issues, and a user who does not want to sign in, from a page in the browser for each request.
struct RenewalLimits: Sendable {
    /// The refusals of valid tokens in whose place others were obtained.
    private(set) var refusals = EventLimit(5, within: 60)
    /// The sign-ins that the program has not asked for.
    private(set) var automaticSignIns = EventLimit(5, within: 60)
    /// The sign-ins for more scopes, by the operation of the API that asked for them. Without a recent one, an
    /// operation is removed.
    private var scopeSignIns: [String: EventLimit] = [:]
    /// The token of the last sign-in, and its date.
    private var lastSignIn: (credential: Credential, date: Date)?

    private static let scopeSignInLimit = EventLimit(3, within: 3600)

    /// Whether a token is that of a sign-in less than a minute ago.
    func isFromRecentSignIn(_ credential: Credential, at date: Date) -> Bool {
        guard let lastSignIn, lastSignIn.credential == credential else { return false }
        return lastSignIn.date.isWithin(60, before: date)
    }

    /// Whether the user may be asked to sign in for more scopes for an operation.
    func allowsScopeSignIn(for operation: String, at date: Date) -> Bool {
        scopeSignIns[operation, default: Self.scopeSignInLimit].allowsEvent(at: date)
    }

    /// Counts what is done in place of an API's refusal.
    mutating func record(_ action: Renewal.Action, of renewal: Renewal) {
        switch action {
        case .refresh, .signIn:
            if renewal.replacesRefusedTokens { refusals.recordEvent(at: renewal.now) }
        case .signInAdding:
            scopeSignIns = scopeSignIns.filter { $0.value.hasRecentEvent(at: renewal.now) }
            let operation = renewal.reason.operation
            scopeSignIns[operation, default: Self.scopeSignInLimit].recordEvent(at: renewal.now)
        case .use, .keepRefusal, .fail:
            break
        }
    }

    /// Counts that the user is asked to sign in because a request needs tokens.
    mutating func recordAutomaticSignIn(at date: Date) { automaticSignIns.recordEvent(at: date) }

    /// Remembers the token that a sign-in has issued.
    mutating func recordSignIn(_ credential: Credential, at date: Date) { lastSignIn = (credential, date) }

    /// Forgets the sign-ins of a user who signs out. The API's refusals still count.
    mutating func forgetSignIns() {
        automaticSignIns = RenewalLimits().automaticSignIns
        scopeSignIns = [:]
        lastSignIn = nil
    }
}
