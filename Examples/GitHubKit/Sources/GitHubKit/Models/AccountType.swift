/// An account type.
public nonisolated struct AccountType: RawRepresentable, Hashable, Decodable, Sendable {
    /// The text in JSON.
    public let rawValue: String

    /// Creates a value.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// User.
    public static let user = Self(rawValue: "User")
    /// Organization.
    public static let organization = Self(rawValue: "Organization")
    /// Bot.
    public static let bot = Self(rawValue: "Bot")
}
