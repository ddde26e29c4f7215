public import APIKit

public nonisolated struct State: RawRepresentable, Hashable, Decodable, ParameterValue {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let open = Self(rawValue: "open")
    public static let closed = Self(rawValue: "closed")
}
