import APIKit
import Testing

@Suite(.httpbin, .timeLimit(.minutes(1))) struct StatusTests {
    @Test(arguments: [200, 201, 202, 203, 204, 205, 206, 299])
    func accepts2xx(status: Int) async throws {
        let reply = try await URLSession.api.reply(to: Get("status/\(status)"))
        #expect(reply.head.status == status)
        #expect(reply.model.isEmpty)
    }

    /// Of the redirects, some are not to be followed, and others have no location.
    @Test(
        arguments: [
            300, 301, 302, 303, 304, 305, 306, 307, 308, 399, 400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 412,
            413,
            415, 416, 417, 418, 422, 423, 425, 428, 429, 431, 451, 499, 500, 501, 502, 503, 504, 505, 507, 511, 599,
        ])
    func rejectsOtherStatuses(status: Int) async throws {
        let options = RequestOptions(redirects: [301, 302, 303, 307].contains(status) ? .refuse : .follow(limit: 20))
        let error = try await failure(of: Get("status/\(status)", options: options))
        let rejection = try #require(error.rejection)
        #expect(rejection.failure != nil)
        #expect(rejection.response.head.status == status)
        #expect(error.status == status)
        #expect(error.description.contains("/status/\(status): \(status)"))
    }

    @Test func readsModelOfFailure() async throws {
        struct Refusal: JSONResponse {
            let message: String
            let accept: [String]
        }
        struct Refused: HTTPBinRequest {
            typealias Response = NoContent
            typealias Failure = Refusal
            var path: URLPath { "status/406" }
        }
        let rejection = try #require(try await failure(of: Refused()).rejection)
        #expect(rejection.response.head.status == 406)
        #expect(rejection.failure?.message == "Client did not request a supported media type.")
        #expect(rejection.failure?.accept.contains("image/*") == true)
    }
}
