public nonisolated struct AccountType: RawRepresentable, Hashable, Decodable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let user = Self(rawValue: "User")
    public static let organization = Self(rawValue: "Organization")
    public static let bot = Self(rawValue: "Bot")
}
