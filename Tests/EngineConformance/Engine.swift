public import APIKitCore

/// An engine under test, with what is known to be different about it.
public struct Engine: Sendable, CustomStringConvertible {
    /// What an engine may do in its own way; each stands in the documentation.
    public enum Quirk: Sendable {
        /// Headers arrive in another order, and repeats joined by commas.
        case joinsHeaders
        /// A 401 that asks for Basic credentials, and a redirect, arrive without their bodies.
        case losesSomeBodies
        /// A cancel right after the start can end the process.
        case mayNotRaceCancels
        /// Cookies are kept and sent.
        case keepsCookies
        /// Streams and files are not delivered, progress is told at the end alone, and informational responses put off
        /// the timeout.
        case deliversDataAlone
        /// A server cannot be made to wait for a reader, who meets the size limit instead.
        case hasNoBackPressure
        /// A legal response can end the process: a chunked body with a trailer field, or an enormous `Content-Length`.
        case diesOfLegalResponses
        /// A second response, which nobody asked for, is taken for the next request's.
        case takesLateResponses
        /// A header value that is blank, or is not UTF-8, makes a bad response.
        case refusesSomeHeaderValues
        /// A 3xx without a `Location` arrives without its body.
        case losesBodiesWithoutLocation
    }

    /// The name in the test's output.
    public let description: String
    /// The engine.
    public let client: any APIClient
    let quirks: Set<Quirk>

    /// Makes an engine under test.
    public init(_ name: String, _ client: any APIClient, quirks: Set<Quirk> = []) {
        description = name
        self.client = client
        self.quirks = quirks
    }
}
