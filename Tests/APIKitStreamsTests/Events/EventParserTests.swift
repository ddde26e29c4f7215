import Foundation
import Testing

@testable import APIKitCore
@testable import APIKitStreams

@Suite struct EventParserTests {
    private func parser(_ lines: [String], lastEventID: String = "") throws -> EventParser {
        var parser = EventParser(lastEventID: lastEventID)
        for line in lines { _ = try parser.parse(Array(line.utf8)[...], limit: 1_000) }
        return parser
    }

    @Test(
        arguments: [
            ("retry: 1500", Duration.milliseconds(1500)), ("retry:0", .zero), ("retry: 007", .milliseconds(7)),
            ("retry: 86400000", .seconds(86_400)), ("retry: 99999999999", .seconds(86_400)),
            ("retry: 99999999999999999999999999999", .seconds(86_400)),
        ] as [(String, Duration)])
    func readsRetry(line: String, retry: Duration) throws { #expect(try parser([line]).retry == retry) }

    @Test(arguments: [
        "retry", "retry:", "retry: ", "retry: 1x", "retry: +1", "retry: -1", "retry: 1.5", "retry:  1", "retry: 1 ",
        "retry: \u{0661}", "retry: 1e3", "Retry: 1", "retry: 0x10",
    ]) func ignoresInvalidRetry(line: String) throws {
        #expect(try parser([line]).retry == nil)
        #expect(try parser(["retry: 3000", line]).retry == .seconds(3))
    }

    @Test(
        arguments: [
            (["id: 1"], "", ""), (["id: 1", ""], "", "1"), (["id: 1", "data: x", "", "id: 2", "data: y"], "", "1"),
            ([": hi", ""], "7", "7"), (["id", ""], "7", ""),
        ] as [([String], String, String)])
    func keepsIDOfLastCompleteEventOrConnection(
        lines: [String], last: String, id: String
    ) throws {
        #expect(try parser(lines, lastEventID: last).lastEventID == id)
    }
}
