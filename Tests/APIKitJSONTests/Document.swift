import Foundation

/// A text that both decoders read.
struct Document: Sendable {
    let data: Data
    /// In how many places it differs at most from the JSON of a value.
    let changes: Int
    /// The text as JSON; nil if it is not.
    let json: StrictJSON?

    init(_ data: Data, changes: Int) {
        self.data = data
        self.changes = changes
        json = StrictJSON(data)
    }
}
