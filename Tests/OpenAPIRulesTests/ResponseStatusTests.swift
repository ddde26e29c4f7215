import OpenAPIRules
import Testing

@Suite struct ResponseStatusTests {
    @Test(
        arguments: [
            ("404", .code(404)), ("4XX", .hundred(4)), ("4xx", .hundred(4)), ("default", .default), ("600", .code(600)),
            ("6XX", nil), ("40X", nil), ("x-status", nil), ("", nil),
        ] as [(String, ResponseStatus?)])
    func isRead(key: String, status: ResponseStatus?) {
        #expect(ResponseStatus(key) == status)
    }
}
