import Testing

@testable import APIKitCore

@Suite struct HTTPMethodTests {
    @Test(
        arguments: [
            (HTTPMethod.get, "GET"), (.head, "HEAD"), (.delete, "DELETE"), (.options, "OPTIONS"), (.trace, "TRACE"),
            (.post, "POST"), (.put, "PUT"), (.patch, "PATCH"), ("PURGE", "PURGE"), (.query, "QUERY"),
        ] as [(HTTPMethod, String)])
    func rawValueIsTheMethodAsSent(method: HTTPMethod, name: String) {
        #expect(method.rawValue == name)
        #expect(method.description == name)
    }

    // RFC 9110, sections 9.2.1 and 9.2.2.
    @Test(
        arguments: [
            (HTTPMethod.get, false, true, true), (.head, false, true, true), (.trace, false, true, true),
            (.options, true, true, true), (.put, true, false, true), (.delete, true, false, true),
            (.post, true, false, false), (.patch, true, false, false), (.query, true, true, true),
            ("CONNECT", true, false, false), ("SEARCH", true, false, false), ("PURGE", true, false, false),
            ("get", true, false, false), ("", true, false, false),
        ] as [(HTTPMethod, Bool, Bool, Bool)])
    func knowsItsProperties(
        method: HTTPMethod, allowsBody: Bool, isSafe: Bool, isIdempotent: Bool
    ) {
        #expect(method.allowsBody == allowsBody)
        #expect(method.isSafe == isSafe)
        #expect(method.isIdempotent == isIdempotent)
    }
}
