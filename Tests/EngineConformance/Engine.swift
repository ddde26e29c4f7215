public import APIKitCore

/// An engine under test, with its known differences from the contract.
///
/// ```swift
/// Engine("MyEngine", MyEngine())
/// ```
public struct Engine: Sendable, CustomStringConvertible {
    /// A known difference from the contract, for an engine whose library does not allow the contract.
    ///
    /// The checks allow what a quirk names, and nothing else. An engine without quirks keeps the whole contract; each
    /// quirk of an engine belongs in its documentation.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Quirk: Sendable {
        /// Response headers lose their order, and repeated ones are joined by commas.
        case joinsHeaders
        /// A 401 that asks for Basic credentials, and a redirect, arrive without their bodies.
        case losesSomeBodies
        /// A cancel right after the start can end the process.
        case mayNotRaceCancels
        /// Cookies are stored and sent.
        case keepsCookies
        /// Streams and files are not supported, progress is reported only at the end, and informational responses
        /// extend the timeout.
        case deliversDataAlone
        /// There is no back-pressure: a reader that is slower than the server reaches the size limit instead.
        case hasNoBackPressure
        /// There are no trailers of responses.
        case hasNoTrailers
        /// A stream of HTTP/2 that the server resets with `PROTOCOL_ERROR` fails as `badResponse`.
        case takesResetsForMalformedHeads
    }

    /// The engine's name in the test's output.
    public let description: String
    /// The engine itself.
    public let client: any APIClient
    let quirks: Set<Quirk>

    /// Creates an engine under test.
    ///
    /// - Parameters:
    ///   - name: The engine's name in the test's output.
    ///   - client: The engine. Give a pool of connections a short idle timeout, such as half a second: the checks wait
    ///     until unused connections are closed.
    ///   - quirks: The engine's known differences from the contract.
    public init(_ name: String, _ client: any APIClient, quirks: Set<Quirk> = []) {
        description = name
        self.client = client
        self.quirks = quirks
    }
}
