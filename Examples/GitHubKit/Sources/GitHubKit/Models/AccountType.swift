/// An account type.
public nonisolated struct AccountType: RawRepresentable, Hashable, Decodable, Sendable {
    /// The text in JSON.
    public let rawValue: String

    /// Creates a value.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Bot.
    public static let bot = AccountType(rawValue: "Bot")
    /// Organization.
    public static let organization = AccountType(rawValue: "Organization")
    /// User.
    public static let user = AccountType(rawValue: "User")
}
