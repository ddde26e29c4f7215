/// The credentials that a request was sent with, which a description of its response does not show.
package struct SentCredentials: Sendable, CustomReflectable {
    package var values: [String] = []

    /// A mirror without children, so that `dump` does not show the values.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
