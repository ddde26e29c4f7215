#if os(Linux)
import Testing

@testable import APIKitCurl

@Suite struct CurlLoopHostTests {
    /// Requests of an origin share its connections and its limits.
    @Test(
        arguments: ["https://h.example", "http://h.example:8443", "http://h"], ["", "/", "/users/1", "?page=2", "/a?b"])
    func originEndsBeforePathAndQuery(origin: String, rest: String) {
        #expect(CurlLoop.Host.origin(of: origin + rest) == origin)
    }
}
#endif
