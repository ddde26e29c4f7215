import APIKitTesting
import Foundation
import XCTest

@testable import APIKitCore

/// XCTest prints a value that is not nil by its description.
final class RequestDifferenceXCTests: XCTestCase {
    func testPrintsLinesOfDifference() throws {
        let url = try XCTUnwrap(URL(string: "https://api.example.com/things"))
        let (wire, expected) = (HTTPRequest(method: .put, url: url), HTTPRequest(url: url))
        XCTAssertNil(wire.difference(from: wire))
        XCTAssertEqual(
            wire.difference(from: expected)?.description,
            """
            PUT https://api.example.com/things differs from the expected request (expected → actual):
            - method: GET → PUT
            """)
    }
}
