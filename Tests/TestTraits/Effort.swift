import Foundation

/// How long tests search for failures that are improbable, such as races and mutations of a document.
///
/// `swift test` looks briefly, so that it takes seconds. `make check-linux` sets `APIKIT_THOROUGH`, and what only
/// `make nightly` has the time for sets `APIKIT_SOAK`.
package enum Effort {
    /// Whether long searches run.
    package static let isThorough = isSet("APIKIT_THOROUGH") || isSoaking
    /// Whether searches run that take minutes.
    package static let isSoaking = isSet("APIKIT_SOAK")

    /// The number of rounds of a search: by default, and if it may take long.
    package static func rounds(_ brief: Int, thorough: Int) -> Int {
        if isThorough {
            return thorough
        }
        return brief
    }

    private static func isSet(_ name: String) -> Bool { ProcessInfo.processInfo.environment[name] != nil }
}
