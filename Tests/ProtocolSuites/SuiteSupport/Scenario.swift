public import Testing

/// Names the scenarios of a public suite that a test restates. The program `table` counts them in the source, by name.
public struct Scenario: TestTrait {
    /// The names, as in the suite.
    public let names: [String]
    /// What the test had to write that is not about its API; nil if nothing.
    public let byHand: String?

    /// The names, which the report of a failed test shows.
    public var comments: [Comment] { names.map { Comment(rawValue: $0) } }
}

extension Trait where Self == Scenario {
    /// The test restates these scenarios with nothing but endpoints and models.
    public static func scenario(_ names: String...) -> Scenario { Scenario(names: names, byHand: nil) }

    /// The test restates these scenarios, and needs code of its own that is not about the API.
    public static func scenario(_ names: String..., byHand reason: String) -> Scenario {
        Scenario(names: names, byHand: reason)
    }
}
