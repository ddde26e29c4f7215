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

    @Test func retriesAreMergedOneByOne() {
        let api = RequestOptions(retries: .init(attempts: 5, statuses: [429]))
        #expect(RequestOptions().addingMissing(from: api).retries == api.retries)
        #expect(api.addingMissing(from: RequestOptions()).retries == api.retries)
        let once = RequestOptions(retries: .never).addingMissing(from: api).retries
        #expect(once == .init(attempts: 1, statuses: [429]))
        let others = RequestOptions(retries: .init(statuses: [])).addingMissing(from: api).retries
        #expect(others == .init(attempts: 5, statuses: []))
    }

    @Test func retriesDescribeWhatIsSet() {
        #expect(
            RequestOptions.Retries(attempts: 5, statuses: [503, 429]).description == "attempts: 5, statuses: 429, 503")
        #expect(RequestOptions.Retries.never.description == "attempts: 1")
    }
}
