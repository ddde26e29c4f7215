import Testing

@testable import APIKitCore

@Suite struct HTTPMethodTests {
    @Test(arguments: [
        (HTTPMethod.get, "GET"), (.head, "HEAD"), (.delete, "DELETE"), (.options, "OPTIONS"), (.trace, "TRACE"),
        (.post, "POST"), (.put, "PUT"), (.patch, "PATCH"), ("PURGE", "PURGE"),
    ]) func rawValueIsTheMethodAsSent(method: HTTPMethod, name: String) {
        #expect(method.rawValue == name)
        #expect(method.description == name)
    }

    @Test func isCaseSensitive() {
        #expect(HTTPMethod("get") != .get)
        #expect(HTTPMethod(rawValue: "GET") == .get)
    }

    @Test(arguments: [
        (HTTPMethod.get, false), (.head, false), (.trace, false), (.post, true), (.put, true), (.patch, true),
        (.delete, true), (.options, true), ("QUERY", true),
    ]) func knowsWhetherItMayHaveABody(method: HTTPMethod, allowsBody: Bool) {
        #expect(method.allowsBody == allowsBody)
    }

    // RFC 9110, section 9.2.1.
    @Test(arguments: [
        (HTTPMethod.get, true), (.head, true), (.options, true), (.trace, true), (.put, false), (.delete, false),
        (.post, false), (.patch, false), ("CONNECT", false), ("SEARCH", false), ("get", false), ("", false),
    ]) func knowsWhetherItIsSafe(method: HTTPMethod, isSafe: Bool) { #expect(method.isSafe == isSafe) }

    // RFC 9110, section 9.2.2.
    @Test(arguments: [
        (HTTPMethod.get, true), (.head, true), (.put, true), (.delete, true), (.options, true), (.trace, true),
        (.post, false), (.patch, false), ("CONNECT", false), ("PURGE", false), ("get", false), ("", false),
    ]) func knowsWhetherItIsIdempotent(method: HTTPMethod, isIdempotent: Bool) {
        #expect(method.isIdempotent == isIdempotent)
    }
}
