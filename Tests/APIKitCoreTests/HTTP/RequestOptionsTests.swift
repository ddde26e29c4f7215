import Testing

@testable import APIKitCore

@Suite struct RequestOptionsTests {
    @Test func unspecifiedOptionsHaveDefaults() {
        let options = RequestOptions()
        #expect(options.timeout == .seconds(60) && options.deadline == nil && options.sizeLimit == 64 << 20)
        #expect(options.redirects == .follow(limit: 20) && options.credentialHosts.isEmpty)
        #expect(options.sendsBodyAcrossOrigins && !options.isRepeatable && options.authorization == .automatic)
        #expect(options.allowsExpensiveNetworkAccess && options.allowsConstrainedNetworkAccess)
        #expect(options.connectivityTimeout == nil)
    }

    @Test(arguments: [true, false]) func ownNetworksOverrideThoseOfTheAPI(isAllowed: Bool) {
        let api = RequestOptions(
            allowsExpensiveNetworkAccess: !isAllowed, allowsConstrainedNetworkAccess: !isAllowed,
            connectivityTimeout: .seconds(9))
        #expect(RequestOptions().addingMissing(from: api) == api)
        var own = RequestOptions(connectivityTimeout: .seconds(3))
        own.allowsExpensiveNetworkAccess = isAllowed
        let options = own.addingMissing(from: api)
        #expect(options.allowsExpensiveNetworkAccess == isAllowed)
        #expect(options.allowsConstrainedNetworkAccess == !isAllowed)
        #expect(options.connectivityTimeout == .seconds(3))
    }
}
