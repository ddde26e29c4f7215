/// An account type.
public nonisolated struct AccountType: RawRepresentable, Hashable, Decodable, Sendable {
    /// The text in JSON.
    public let rawValue: String

    /// Creates a value.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// `bot`
    public static let bot = AccountType(rawValue: "Bot")
    /// `organization`
    public static let organization = AccountType(rawValue: "Organization")
    /// `user`
    public static let user = AccountType(rawValue: "User")
}
