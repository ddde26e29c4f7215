public import APIKit

/// State.
public struct State: RawRepresentable, Hashable, Decodable, ParameterValue {
    /// The text in JSON.
    public let rawValue: String

    /// Creates a value from its text in JSON.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// `closed`
    public static let closed = State(rawValue: "closed")
    /// `open`
    public static let open = State(rawValue: "open")
}
