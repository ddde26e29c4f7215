import APIKit

nonisolated struct Level: RawRepresentable, Hashable, Codable, ParameterValue {
    let rawValue: Int

    static let minus1 = Self(rawValue: -1)
    static let value0 = Self(rawValue: 0)
    static let value1 = Self(rawValue: 1)
}
