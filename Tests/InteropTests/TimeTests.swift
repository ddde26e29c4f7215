import APIKit
import Testing

/// Timeouts, deadlines, cancellation and concurrent requests.
@Suite(.httpbin, .timeLimit(.minutes(1))) struct TimeTests {
    private let clock = ContinuousClock()

    @Test func delayWithinTimeoutSucceeds() async throws {
        let request = Get("delay/0.2", as: Echo.self, options: RequestOptions(timeout: .seconds(5)))
        #expect(try await URLSession.api.send(request).url.hasSuffix("/delay/0.2"))
    }

    @Test func delayBeyondTimeoutTimesOut() async throws {
        let start = clock.now
        let error = try await failure(of: Get("delay/3", options: RequestOptions(timeout: .seconds(1))))
        #expect(error.transportCode == .timedOut)
        #expect(clock.now - start < .seconds(2.5))
    }

    @Test func stalledBodyTimesOut() async throws {
        let parameters: Parameters = ["duration": 6, "numbytes": 2]
        let request = Get("drip", parameters: parameters, options: RequestOptions(timeout: .seconds(1)))
        let error = try await failure(of: request)
        #expect(error.transportCode == .timedOut)
    }

    @Test func slowBodyDoesNotTimeOut() async throws {
        let parameters: Parameters = ["duration": 1.5, "numbytes": 6]
        let request = Get("drip", parameters: parameters, options: RequestOptions(timeout: .seconds(1)))
        #expect(try await URLSession.api.send(request).count == 6)
    }

    @Test(arguments: ["delay/3", "drip?", "redirect"])
    func deadlineIncludesBodiesAndRedirects(what: String) async throws {
        let options = RequestOptions(deadline: .milliseconds(300))
        let request =
            switch what {
            case "delay/3": Get("delay/3", options: options)
            case "drip?": Get("drip", parameters: ["duration": 3, "numbytes": 30], options: options)
            default: Get("redirect-to", parameters: ["url": "/delay/3"], options: options)
            }
        let start = clock.now
        let error = try await failure(of: request)
        #expect(error.transportCode == .timedOut)
        #expect(clock.now - start >= .milliseconds(300))
        #expect(clock.now - start < .seconds(2))
    }

    @Test func cancelEndsImmediately() async throws {
        let start = clock.now
        let task = Task { try await URLSession.api.send(Get("delay/3")) }
        task.cancel()
        let error = try #require(await #expect(throws: APIError<Data>.self) { try await task.value })
        #expect(error.isCancellation)
        #expect(clock.now - start < .seconds(1))
    }

    @Test func concurrentRequestsGetTheirOwnResponses() async throws {
        try await withThrowingTaskGroup { group in
            for number in 0..<100 {
                group.addTask {
                    let echo = try await URLSession.api.send(Anything(parameters: ["number": number]))
                    #expect(echo.args == ["number": Values(stringLiteral: String(number))])
                }
            }
            try await group.waitForAll()
        }
    }
}
