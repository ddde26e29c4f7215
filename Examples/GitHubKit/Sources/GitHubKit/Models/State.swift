public import APIKit

/// A state.
public nonisolated struct State: RawRepresentable, Hashable, Decodable, ParameterValue {
    /// The text in JSON.
    public let rawValue: String

    /// Creates a value.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Open.
    public static let open = Self(rawValue: "open")
    /// Closed.
    public static let closed = Self(rawValue: "closed")
}
