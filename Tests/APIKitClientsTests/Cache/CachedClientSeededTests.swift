import APIKitCore
import APIKitTesting
import Foundation
import Testing

@testable import APIKitClients

/// Random requests, responses and times, the same in every run, against a second, naive implementation of the rules.
@Suite struct CachedClientSeededTests {
    @Test(arguments: 0..<8) func matchesANaiveModel(seed: UInt64) async throws {
        let isSoaking = ProcessInfo.processInfo.environment["APIKIT_SOAK"] != nil
        let world = World(seed: seed)
        let cache = ResponseCache(bytes: 100 << 20)
        let client = world.timed(by: DateClock { World.start + Double(world.state.withLock { $0.now }) })
            .cached(in: cache)
        var model = NaiveCache()
        var sources: Set<HTTPResponse.Source> = []
        for step in 0..<(isSoaking ? 50_000 : 1500) {
            let (request, now) = world.state.withLock { world in
                world.now += world.pick([0, 0, 1, 2, 5, 20, 60])
                world.log = []
                return (world.request(), world.now)
            }
            let response = try? await client.perform(request)
            let log = world.state.withLock { $0.log }
            let expected = model.outcome(of: request, at: now, server: log)
            if let source = response?.source { sources.insert(source) }
            #expect(NaiveCache.Outcome(response) == expected.outcome, "step \(step): \(request) \(log)")
            #expect(log.count == expected.exchanges, "step \(step): \(request) \(log)")
            if step % 500 == 499 {
                cache.removeAll()
                model.records = []
                // The dates of the model are those of one day.
                world.state.withLock { $0.now = 0 }
            }
        }
        #expect(sources == [.network, .cache, .revalidated])
    }
}

/// A server with random responses, and the time.
private final class World: APIClient {
    static let start = Date(timeIntervalSince1970: 1_000_000_000)  // 01:46:40

    struct Exchange: Sendable {
        let request: HTTPRequest
        /// Nil if the server could not be reached.
        let response: HTTPResponse?
        let sent: Int
        let received: Int
    }

    struct State: Sendable {
        var random: SplitMix64
        var now = 0
        var log: [Exchange] = []
        private var count = 0

        init(seed: UInt64) { random = SplitMix64(state: seed) }
        mutating func pick<Value>(_ values: [Value]) -> Value { values.randomElement(using: &random)! }

        mutating func request() -> HTTPRequest {
            let directives = [
                "no-cache", "no-store", "max-age=\(pick([0, 3, 30]))", "max-stale", "max-stale=\(pick([0, 10]))",
                "min-fresh=\(pick([1, 8]))", "only-if-cached", "stale-if-error=\(pick([5, 500]))",
            ]
            let control = pick([nil, nil, nil, pick(directives), "\(pick(directives)), \(pick(directives))"])
            return HTTPRequest(
                method: pick([.get, .get, .get, .get, .get, .get, .get, .get, .put, .head]),
                url: URL(string: "https://h/\(pick(["a", "b"]))")!,
                headers: [
                    .accept: pick([nil, "x", "y"]), .authorization: pick([nil, "u", "v"]), .cacheControl: control,
                    .range: pick([nil, nil, nil, nil, nil, nil, "bytes=0-1"]),
                ])
        }

        mutating func date(_ offset: Int) -> String {
            let seconds = 6400 + now + offset
            func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
            return "Sun, 09 Sep 2001 \(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60)) GMT"
        }

        mutating func response(to request: HTTPRequest) -> HTTPResponse? {
            let directives = [
                "max-age=\(pick([0, 5, 60]))", "no-cache", "no-store", "must-revalidate", "private", "public",
                "stale-if-error=\(pick([10, 100]))", "s-maxage=99",
            ]
            let age = "max-age=\(pick([0, 5, 60]))"
            var headers: HTTPHeaders = [
                .cacheControl: pick([nil, age, age, "\(age), \(pick(directives))", "\(pick(directives)), \(age)"]),
                .date: pick([nil, date(0), date(-3), date(2)]), .age: pick([nil, nil, "4", "x"]),
                .expires: pick([nil, nil, date(30), "0"]),
            ]
            if request.headers[.ifNoneMatch] != nil || request.headers[.ifModifiedSince] != nil,
                pick([true, true, false])
            {
                headers[.eTag] = pick([nil, request.headers[.ifNoneMatch], "\"other\""])
                headers["X-Seen"] = "\(now)"
                return .status(304, headers: headers)
            }
            count += 1
            headers[.eTag] = pick([nil, "\"\(count)\"", "W/\"\(count)\""])
            headers[.lastModified] = pick([nil, date(-1000)])
            headers[.vary] = pick([nil, nil, nil, "Accept", "accept", "*"])
            let status = pick([200, 200, 200, 200, 200, 206, 302, 404, 500, 503, 0])
            return status == 0 ? nil : .status(status, headers: headers, body: Data("\(count)".utf8))
        }
    }

    let state: Locked<State>

    init(seed: UInt64) { state = Locked(State(seed: seed)) }

    func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        let response = state.withLock { state in
            let sent = state.now
            var response = state.response(to: request)
            response?.head.url = request.url
            state.now += state.pick([0, 0, 1, 3])
            state.log.append(Exchange(request: request, response: response, sent: sent, received: state.now))
            return response
        }
        guard let response else { throw TransportError(.timedOut) }
        return response
    }
}

/// What RFC 9111 says, written down once more without regard to speed: a list of records, and texts that are read again
/// for every question.
private struct NaiveCache {
    struct Outcome: Equatable {
        var status: Int?
        var body: String?
        var source: HTTPResponse.Source?
        var headers: [String: String] = [:]
    }

    struct Record {
        var url: String
        var user: String?
        /// The value of `Accept`, if the response varies by it.
        var accept: String??
        var status: Int
        var headers: [String: String]
        var body: String
        var sent: Int
        var received: Int
    }

    var records: [Record] = []

    mutating func outcome(
        of request: HTTPRequest, at now: Int, server log: [World.Exchange]
    ) -> (outcome: Outcome, exchanges: Int) {
        let url = request.url.absoluteString
        let wishes = Self.directives(request.headers[.cacheControl])
        guard request.method == .get, request.headers[.range] == nil else {
            if request.method == .put, let status = log.last?.response?.head.status, status < 400 {
                records.removeAll { $0.url == url }
            }
            return (Outcome(log.last?.response), 1)
        }
        let refusesStorage = wishes["no-store"] != nil
        let index = records.firstIndex { Self.matches($0, request) }
        let stored = refusesStorage ? nil : index.map { records[$0] }
        if let stored, Self.isUsable(stored, wishes, now) { return (Self.cached(stored, now), 0) }
        if wishes["only-if-cached"] != nil { return (Outcome(status: 504, body: "", source: .cache), 0) }
        guard let first = log.first else { return (Outcome(), 1) }

        #expect(first.request.headers[.ifNoneMatch] == stored?.headers["etag"])
        #expect(first.request.headers[.ifModifiedSince] == stored?.headers["last-modified"])
        let isError = first.response.map { [500, 503].contains($0.head.status) } ?? true
        if isError, let stored, Self.mayReplaceError(stored, wishes, first.received) {
            return (Self.cached(stored, first.received), 1)
        }
        guard let response = first.response else { return (Outcome(), 1) }
        if response.head.status != 304 { return (finish(response, first, request, refusesStorage), 1) }
        guard var record = stored, let index else { return (Outcome(response), 1) }
        let newer = Self.dictionary(response.head.headers)
        if let tag = newer["etag"], tag.replacing("W/", with: "") != record.headers["etag"]?.replacing("W/", with: "") {
            guard log.count > 1, let second = log[1].response else { return (Outcome(), 2) }
            return (finish(second, log[1], request, refusesStorage), 2)
        }
        record.headers["date"] = nil
        record.headers["age"] = nil
        record.headers.merge(newer) { $1 }
        (record.sent, record.received) = (first.sent, first.received)
        let outcome = Outcome(status: record.status, body: record.body, source: .revalidated, headers: record.headers)
        records.remove(at: index)
        if Self.directives(record.headers["cache-control"])["no-store"] == nil { records.append(record) }
        return (outcome, 1)
    }

    private mutating func finish(
        _ response: HTTPResponse, _ exchange: World.Exchange, _ request: HTTPRequest, _ refusesStorage: Bool
    ) -> Outcome {
        let headers = Self.dictionary(response.head.headers)
        let control = Self.directives(headers["cache-control"])
        let isExplicit =
            control["max-age"] != nil || control["public"] != nil || control["private"] != nil
            || headers["expires"] != nil
        let isStorable =
            response.head.status != 206 && control["no-store"] == nil && headers["vary"] != "*"
            && ([200, 404].contains(response.head.status) || isExplicit)
        guard !refusesStorage else { return Outcome(response) }
        guard isStorable || response.head.status < 400 else { return Outcome(response) }
        records.removeAll { Self.matches($0, request) }
        guard isStorable else { return Outcome(response) }
        let varies = headers["vary"] != nil
        // One list of names per URL.
        records.removeAll { $0.url == request.url.absoluteString && ($0.accept != nil) != varies }
        records.append(
            Record(
                url: request.url.absoluteString, user: request.headers[.authorization],
                accept: varies ? .some(request.headers[.accept]) : nil, status: response.head.status, headers: headers,
                body: response.text ?? "", sent: exchange.sent, received: exchange.received))
        return Outcome(response)
    }

    private static func matches(_ record: Record, _ request: HTTPRequest) -> Bool {
        guard record.url == request.url.absoluteString, record.user == request.headers[.authorization] else {
            return false
        }
        if let accept = record.accept { return accept == request.headers[.accept] }
        return true
    }

    // MARK: - Freshness

    private static func age(_ record: Record, _ now: Int) -> Int {
        let apparent = max(0, record.received - (record.headers["date"].map(offset) ?? record.received))
        let corrected = (record.headers["age"].flatMap { Int($0) } ?? 0) + record.received - record.sent
        return max(apparent, corrected) + now - record.received
    }

    private static func lifetime(_ record: Record) -> Int {
        if let seconds = directives(record.headers["cache-control"])["max-age"] { return Int(seconds) ?? 0 }
        guard let expires = record.headers["expires"], expires != "0" else { return 0 }
        return offset(expires) - (record.headers["date"].map(offset) ?? record.received)
    }

    private static func isUsable(_ record: Record, _ wishes: [String: String], _ now: Int) -> Bool {
        let control = directives(record.headers["cache-control"])
        if control["no-cache"] != nil || wishes["no-cache"] != nil { return false }
        let age = age(record, now)
        let staleness = age - lifetime(record)
        if let limit = wishes["max-age"], age > Int(limit)! { return false }
        if let margin = wishes["min-fresh"], lifetime(record) < age + Int(margin)! { return false }
        if staleness < 0 { return true }
        guard control["must-revalidate"] == nil, let limit = wishes["max-stale"] else { return false }
        return limit.isEmpty || staleness <= Int(limit)!
    }

    private static func mayReplaceError(_ record: Record, _ wishes: [String: String], _ now: Int) -> Bool {
        let control = directives(record.headers["cache-control"])
        if control["no-cache"] != nil || wishes["no-cache"] != nil { return false }
        let staleness = age(record, now) - lifetime(record)
        if control["must-revalidate"] != nil, staleness >= 0 { return false }
        let limits = [control["stale-if-error"], wishes["stale-if-error"]].compactMap { $0.flatMap { Int($0) } }
        return limits.contains { staleness <= $0 }
    }

    private static func cached(_ record: Record, _ now: Int) -> Outcome {
        var headers = record.headers
        headers["age"] = String(age(record, now))
        return Outcome(status: record.status, body: record.body, source: .cache, headers: headers)
    }

    // MARK: - Texts

    private static func directives(_ text: String?) -> [String: String] {
        let pairs = (text ?? "").components(separatedBy: ", ").map { $0.components(separatedBy: "=") }
        return Dictionary(pairs.map { ($0[0], $0.count > 1 ? $0[1] : "") }) { first, _ in first }
    }

    fileprivate static func dictionary(_ headers: HTTPHeaders) -> [String: String] {
        Dictionary(headers.map { ($0.name.rawValue.lowercased(), $0.value) }) { "\($0), \($1)" }
    }

    /// The seconds since the start, of a date of that day.
    private static func offset(_ date: String) -> Int {
        let parts = date.components(separatedBy: " ")[4].components(separatedBy: ":").map { Int($0)! }
        return parts[0] * 3600 + parts[1] * 60 + parts[2] - 6400
    }
}

extension NaiveCache.Outcome {
    init(_ response: HTTPResponse?) {
        self.init(
            status: response?.head.status, body: response?.text, source: response?.source,
            headers: response.map { NaiveCache.dictionary($0.head.headers) } ?? [:])
    }
}
