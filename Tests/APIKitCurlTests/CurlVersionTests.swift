#if os(Linux)
import Testing

@testable import APIKitCurl

/// Which versions of libcurl have which peculiarities.
@Suite struct CurlVersionTests {
    struct Row: CustomTestStringConvertible {
        let major: UInt32
        let minor: UInt32
        let peculiarities: [String]
        var testDescription: String { "\(major).\(minor)" }
    }

    private static let rows: [Row] = [
        Row(major: 7, minor: 76, peculiarities: ["polls", "losesEarlyResponses", "describesFramesAsResets"]),
        Row(major: 7, minor: 79, peculiarities: ["polls", "losesEarlyResponses", "describesFramesAsResets"]),
        Row(major: 7, minor: 80, peculiarities: ["describesFramesAsResets"]),
        Row(major: 7, minor: 83, peculiarities: ["hasDanglingHeader", "describesFramesAsResets"]),
        Row(
            major: 7, minor: 88,
            peculiarities: ["hasDanglingHeader", "forgetsOtherAddresses", "describesFramesAsResets"]),
        Row(major: 8, minor: 0, peculiarities: ["forgetsOtherAddresses", "describesFramesAsResets"]),
        Row(major: 8, minor: 3, peculiarities: ["forgetsOtherAddresses", "describesFramesAsResets"]),
        Row(major: 8, minor: 4, peculiarities: ["describesFramesAsResets"]),
        Row(major: 8, minor: 5, peculiarities: []),
    ]

    @Test(arguments: rows) func peculiarities(row: Row) {
        let version = CurlVersion(row.major, row.minor)
        let all = [
            ("polls", !version.callsBackBeforeSending), ("losesEarlyResponses", version.losesEarlyResponses),
            ("hasDanglingHeader", version.hasDanglingHeader),
            ("forgetsOtherAddresses", version.forgetsOtherAddresses),
            ("describesFramesAsResets", version.describesMalformedFramesAsResets),
        ]
        #expect(all.filter(\.1).map(\.0) == row.peculiarities)
    }
}
#endif
