import Testing

@testable import APIKitCore

@Suite struct RequestOptionsTests {
    @Test func unspecifiedOptionsHaveDefaults() {
        let options = RequestOptions()
        #expect(options.effectiveTimeout == .seconds(60) && options.effectiveSizeLimit == 64 << 20)
        #expect(options.effectiveRedirects == .follow(limit: 20))
    }

    @Test func whatWasSetIsPartOfEquality() {
        #expect(RequestOptions(timeout: .seconds(60)) != RequestOptions())
        #expect(RequestOptions(isIdempotent: false) != RequestOptions())
        #expect(RequestOptions(addsCredentials: true) != RequestOptions())
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
