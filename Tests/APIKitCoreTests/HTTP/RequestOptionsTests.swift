import APIKitCore
import Testing

@Suite struct RequestOptionsTests {
    @Test func hasDefaults() {
        let options = RequestOptions()
        #expect(options.timeout == .seconds(60))
        #expect(options.deadline == nil)
        #expect(options.sizeLimit == 64 * 1024 * 1024)
        #expect(options.redirects == .follow(limit: 20))
        #expect(options.credentialHosts.isEmpty)
        #expect(options.sendsBodyAcrossOrigins)
        #expect(options.authorization == .automatic)
    }

    @Test func keepsSpecifiedValues() {
        let options = RequestOptions(timeout: .seconds(1), deadline: .seconds(2), sizeLimit: .max, redirects: .refuse)
        #expect(options.timeout == .seconds(1))
        #expect(options.deadline == .seconds(2))
        #expect(options.sizeLimit == .max)
        #expect(options.redirects == .refuse)
        #expect(options != RequestOptions())
    }
}
