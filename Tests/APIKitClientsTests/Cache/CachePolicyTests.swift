import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitClients
@testable import APIKitCore

/// The rules of RFC 9111 as a table: each name begins with the section.
@Suite struct CachePolicyTests {
    private let start = CachedServer.start

    private func head(_ headers: HTTPHeaders, status: Int = 200) -> HTTPResponse.Head {
        HTTPResponse.Head(status: status, headers: headers, url: URL(string: "https://h/")!)
    }

    private func policy(
        _ headers: HTTPHeaders, status: Int = 200, delay: Double = 0, heuristic: Double = 0
    ) -> CachePolicy {
        let head = head(headers, status: status)
        return CachePolicy(head, requestTime: start - delay, responseTime: start, heuristicFraction: heuristic)
    }

    private func mayStore(_ headers: HTTPHeaders, status: Int = 200) -> Bool {
        CachePolicy.allowsStoring(head(headers, status: status))
    }

    private func control(_ text: String?) -> CacheControl { CacheControl([.cacheControl: text]) }

    // MARK: - Section 3

    @Test(arguments: [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501])
    func section3StoresHeuristicallyCacheableStatuses(status: Int) { #expect(mayStore([:], status: status)) }

    @Test(arguments: [201, 202, 302, 307, 400, 401, 403, 500, 503, 599])
    func section3StoresOtherStatusesOnlyIfExplicit(status: Int) {
        #expect(!mayStore([.eTag: "\"a\"", .lastModified: Date.http()], status: status))
        for text in ["max-age=1", "public", "private"] { #expect(mayStore([.cacheControl: text], status: status)) }
        #expect(mayStore([.expires: "0"], status: status))
    }

    @Test(arguments: [100, 103, 199, 206, 304, 600, 999, -1, 0])
    func section3StoresNeitherPartsNorStatusesThatAreNotFinal(status: Int) {
        #expect(!mayStore([.cacheControl: "max-age=1"], status: status))
    }

    // Also sections 5.2.2.5 and 4.1.
    @Test(
        arguments: [
            ([.cacheControl: "max-age=1, no-store"], false), ([.cacheControl: "No-Store"], false),
            ([.cacheControl: "max-age=1", .vary: "*"], false),
            ([.cacheControl: "max-age=1", .vary: "Accept, *"], false),
            ([.cacheControl: "max-age=1", .vary: "Accept"], true),
        ] as [(HTTPHeaders, Bool)])
    func section3NeitherNoStoreNorVaryOfEverythingIsStored(headers: HTTPHeaders, isStored: Bool) {
        #expect(mayStore(headers) == isStored)
    }

    // MARK: - Section 4.2

    @Test func section4_2_1MaxAgeOverridesExpires() {
        #expect(policy([.cacheControl: "max-age=10", .expires: Date.http(500), .date: Date.http()]).lifetime == 10)
        #expect(policy([.expires: Date.http(500), .date: Date.http(-5)]).lifetime == 505)
        #expect(policy([.expires: Date.http(500)]).lifetime == 500)
        #expect(policy([.cacheControl: "s-maxage=10"]).lifetime == 0)
    }

    @Test(arguments: ["0", "-1", "", "tomorrow", "Sun, 99 Sep 2001 01:46:40 GMT"])
    func section5_3InvalidExpiresIsStale(text: String) {
        let policy = policy([.expires: text, .lastModified: Date.http(-1000)], heuristic: 1)
        #expect(!policy.allowsUse(by: control(nil), at: start))
    }

    @Test func section5_3RepeatedExpiresIsStale() {
        var headers: HTTPHeaders = [.expires: Date.http(500)]
        headers.append(Date.http(600), for: .expires)
        #expect(policy(headers).lifetime == 0)
    }

    @Test func section4_2_2HeuristicsAreASetting() {
        let headers: HTTPHeaders = [.lastModified: Date.http(-1000), .date: Date.http()]
        #expect(policy(headers).lifetime == 0)
        #expect(policy(headers, heuristic: 0.1).lifetime == 100)
        #expect(policy([.lastModified: Date.http(-1e8)], heuristic: 1).lifetime == 86_400)
        #expect(policy([.lastModified: Date.http(1000)], heuristic: 1).lifetime == 0)
        #expect(policy(headers, status: 403, heuristic: 0.1).lifetime == 0)
        var explicit = headers
        explicit[.cacheControl] = "public"
        #expect(policy(explicit, status: 403, heuristic: 0.1).lifetime == 100)
        explicit[.cacheControl] = "max-age=3"
        #expect(policy(explicit, heuristic: 0.1).lifetime == 3)
    }

    @Test(
        arguments: [
            ([:], 0, 5, 5), ([.date: Date.http(-30)], 0, 5, 35), ([.date: Date.http(30)], 0, 5, 5),
            ([.date: Date.http(-30), .age: "20"], 0, 0, 30), ([.date: Date.http(-30), .age: "40"], 2, 0, 42),
            ([:], 2, 0, 2), ([.date: "yesterday"], 0, 0, 0),
        ] as [(HTTPHeaders, Double, Double, Double)])
    func section4_2_3AgeIsTheLargerOfDateAndAge(headers: HTTPHeaders, delay: Double, seconds: Double, age: Double) {
        #expect(policy(headers, delay: delay).age(at: start + seconds) == age)
    }

    @Test(
        arguments: [("7, 9", 7), ("-7", 0), ("7.5", 0), ("x", 0), ("99999999999999999999", 2_147_483_647)]
            as [(String, Double)])
    func section5_1AgeIsTheFirstValidNumber(text: String, age: Double) {
        #expect(policy([.age: text]).age(at: start) == age)
    }

    @Test func freshnessEndsAtTheLifetime() {
        let policy = policy([.cacheControl: "max-age=10"])
        #expect(policy.allowsUse(by: control(nil), at: start + 9.9))
        #expect(!policy.allowsUse(by: control(nil), at: start + 10))
    }

    // MARK: - Section 5.2.1, the request

    @Test(
        arguments: [
            (nil, 50, true), (nil, 150, false), ("no-cache", 50, false), ("max-age=50", 50, true),
            ("max-age=50", 51, false), ("max-age=x", 1, false), ("max-age=500", 150, false), ("max-stale", 1e9, true),
            ("max-stale=50", 150, true), ("max-stale=50", 151, false), ("max-stale=x", 101, false),
            ("max-stale, max-age=120", 150, false), ("min-fresh=50", 50, true), ("min-fresh=51", 50, false),
            ("min-fresh=99999999999999999999", 0, false), ("max-stale, min-fresh=1", 150, false),
            ("unknown, only-if-cached", 50, true), ("max-stale, no-cache", 50, false),
        ] as [(String?, Double, Bool)])
    func section5_2_1TheRequestDecidesToo(text: String?, age: Double, isUsed: Bool) {
        let policy = policy([.cacheControl: "max-age=100"])
        #expect(policy.allowsUse(by: control(text), at: start + age) == isUsed)
    }

    // MARK: - Section 5.2.2, the response

    @Test(arguments: ["no-cache, max-age=100", "no-cache=\"Set-Cookie\", max-age=100", "max-age=100, NO-CACHE"])
    func section5_2_2_4NoCacheIsNeverUsedUnasked(text: String) {
        let policy = policy([.cacheControl: text + ", stale-if-error=1000"])
        #expect(!policy.allowsUse(by: control(nil), at: start))
        #expect(!policy.allowsUse(by: control("max-stale"), at: start))
        #expect(!policy.allowsUseOnError(by: control("stale-if-error=1000"), at: start))
    }

    @Test func section5_2_2_2MustRevalidateForbidsStaleUse() {
        let policy = policy([.cacheControl: "max-age=100, must-revalidate, stale-if-error=1000"])
        #expect(policy.allowsUse(by: control(nil), at: start + 99))
        #expect(!policy.allowsUse(by: control("max-stale"), at: start + 101))
        #expect(policy.allowsUseOnError(by: control(nil), at: start + 99))
        #expect(!policy.allowsUseOnError(by: control("stale-if-error=1000"), at: start + 101))
    }

    @Test(
        arguments: [
            ("max-age=100", nil, 50, false), ("max-age=100, stale-if-error=60", nil, 160, true),
            ("max-age=100, stale-if-error=60", nil, 161, false), ("max-age=100", "stale-if-error=60", 160, true),
            ("max-age=100", "stale-if-error=60", 161, false), ("max-age=100, stale-if-error=x", nil, 101, false),
            ("max-age=100, stale-if-error=10", "stale-if-error=60", 160, true),
            ("max-age=100, stale-if-error=60", "no-cache", 50, false), ("stale-if-error=60", nil, 60, true),
        ] as [(String, String?, Double, Bool)])
    func rfc5861StaleIfErrorIsALimitOfBothSides(
        response: String, request: String?, age: Double, isUsed: Bool
    ) {
        #expect(policy([.cacheControl: response]).allowsUseOnError(by: control(request), at: start + age) == isUsed)
    }

    // MARK: - Clocks

    @Test func clockThatIsSetBackEndsFreshness() {
        let policy = policy([.cacheControl: "max-age=100"])
        #expect(policy.allowsUse(by: control(nil), at: start - 1))
        #expect(!policy.allowsUse(by: control(nil), at: start - 61))
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300]) func impossibleTimesAreStale(seconds: Double) {
        let now = Date(timeIntervalSince1970: seconds)
        let policy = policy([.cacheControl: "max-age=100"])
        #expect(!policy.allowsUse(by: control(nil), at: now))
        #expect(!policy.allowsUseOnError(by: control("stale-if-error=1"), at: now))
        let stored = StoredResponse(head: head([:]), body: ResponseBody(), policy: policy)
        #expect(stored.response(at: now).head.headers[.age] == "2147483647")
        _ = CachePolicy(head([:]), requestTime: now, responseTime: now, heuristicFraction: .nan).age(at: now)
    }
}
