import APIKitCore
import Testing

@Suite struct RequestOptionsTests {
    @Test func unspecifiedOptionsHaveDefaults() {
        let options = RequestOptions()
        #expect(options.timeout == .seconds(60) && options.deadline == nil && options.sizeLimit == 64 << 20)
        #expect(options.redirects == .follow(limit: 20) && options.credentialHosts.isEmpty)
        #expect(options.sendsBodyAcrossOrigins && !options.isRepeatable && options.authorization == .automatic)
    }
}
