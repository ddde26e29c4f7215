import APIKit

struct KindsTask: JSONResponse, JSONBody {
    var id: Int
    var priority: Priority
    var color: Color?
    var factor: Factor?
    var level: Level?
    var mood: Mood?
    var sequence: KindsTaskSequence?

    struct Color: RawRepresentable, Hashable, Codable {
        let rawValue: String

        static let red = Self(rawValue: "f00")
        static let green = Self(rawValue: "0f0")
    }

    struct Factor: RawRepresentable, Hashable, Codable {
        let rawValue: Double

        static let value0Point5 = Self(rawValue: 0.5)
        static let value1Point5 = Self(rawValue: 1.5)
    }

    struct KindsTaskSequence: RawRepresentable, Hashable, Codable {
        let rawValue: Int64

        static let value5000000000 = Self(rawValue: 5_000_000_000)
    }

    struct Mood: RawRepresentable, Hashable, Codable {
        let rawValue: Int

        /// Not happy at all.
        static let sad = Self(rawValue: 1)
        static let happy = Self(rawValue: 2)
    }
}
