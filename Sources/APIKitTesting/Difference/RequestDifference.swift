import APIKitCore

/// What differs between two requests, one line for each difference, with secrets masked:
///
///     POST https://api.example.com/issues differs from the expected request (expected → actual):
///     - query page: "1" → "2"
///     - header Accept: missing, expected "application/json"
///     - body labels[0].name: "bug" → "bugs"
///     - header Authorization: differs (both values are masked)
///
/// ``HTTPRequest/difference(from:)`` creates it.
public struct RequestDifference: Sendable, Hashable {
    /// One difference.
    public struct Change: Sendable, Hashable {
        /// Where the requests differ: `method`, `query page`, `header Accept`, `body labels[0].name`.
        public let place: String
        /// The value of the expected request, with secrets masked; nil if it has none. A value of more than 200
        /// characters is cut to the part around the first difference.
        public let expected: String?
        /// The value of the actual request, in the same form.
        public let actual: String?
    }

    /// The differences: of the method, the URL, the headers, the body, the options and the delivery.
    public let changes: [Change]
    /// The actual request: its method and its URL, with secrets masked.
    let title: String
}

extension RequestDifference: CustomStringConvertible, CustomDebugStringConvertible {
    /// One line for each difference, the first 50 of them.
    public var description: String {
        let lines = changes.prefix(50).map { "\n- \($0)" }.joined()
        let rest = changes.count > 50 ? "\n- and \(changes.count - 50) more" : ""
        return "\(title) differs from the expected request (expected → actual):\(lines)\(rest)"
    }

    /// The same lines, which `#expect` and `XCTAssertNil` print.
    public var debugDescription: String { description }
}

extension RequestDifference.Change: CustomStringConvertible {
    /// One line: the place and both values.
    public var description: String {
        switch (expected, actual) {
        case (let expected?, let actual?) where expected.utf8.elementsEqual(actual.utf8):
            "\(place): differs (both values are masked)"
        case (let expected?, let actual?): "\(place): \(expected) → \(actual)"
        case (let expected?, nil): "\(place): missing, expected \(expected)"
        case (nil, let actual?): "\(place): unexpected \(actual)"
        case (nil, nil): "\(place): differs"
        }
    }
}
