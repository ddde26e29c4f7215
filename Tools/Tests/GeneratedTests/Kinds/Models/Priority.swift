import APIKit

nonisolated struct Priority: RawRepresentable, Hashable, Codable, ParameterValue {
    let rawValue: Int

    /// Whenever there is time.
    static let low = Self(rawValue: 1)
    static let normal = Self(rawValue: 2)
    /// Before everything else.
    static let high = Self(rawValue: 3)
}
