import APIKitClients
import APIKitCore

extension OAuth {
    /// Why tokens are needed.
    enum Reason: Sendable {
        /// The program asks for a sign-in, and for scopes besides those that were requested before. A token that the
        /// API does not accept is replaced, although it has not expired.
        case signIn(addingScopes: [String], replacing: Credential?)
        /// A token expires soon or has expired, or there is none.
        case expiring(Credential)
        /// The API has refused a token, or a request without one.
        case refused(Credential, Refusal)

        /// The scopes that the program asks for besides those that were requested before.
        var addedScopes: [String] {
            if case .signIn(let scopes, _) = self { scopes } else { [] }
        }

        var refusal: Refusal? {
            if case .refused(_, let refusal) = self { refusal } else { nil }
        }

        /// The method and the path that the API has refused; empty if it has not.
        var operation: String { refusal?.operation ?? "" }

        /// Whether the program asks for a sign-in, and not a request for a token.
        var isSignIn: Bool {
            if case .signIn = self { true } else { false }
        }
    }
}
