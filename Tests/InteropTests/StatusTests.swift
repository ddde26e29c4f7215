import APIKit
import Testing

@Suite(.httpbin, .timeLimit(.minutes(1))) struct StatusTests {
    private func error(of status: Int, options: RequestOptions = RequestOptions()) async throws -> APIError<Data> {
        try await failure(of: Get("status/\(status)", options: options))
    }

    @Test(arguments: [200, 201, 202, 203, 206, 299])
    func accepts2xx(status: Int) async throws {
        let reply = try await URLSession.api.reply(to: Get("status/\(status)"))
        #expect(reply.head.status == status)
        #expect(reply.model.isEmpty)
    }

    @Test(arguments: [204, 205, 200])
    func emptyResponseIsNilOrNoContent(status: Int) async throws {
        let model = try await URLSession.api.send(Get("status/\(status)", as: Optional<Echo>.self))
        #expect(model == nil)
        #expect(try await URLSession.api.send(Get("status/\(status)", as: NoContent.self)) == NoContent())
    }

    @Test func emptyResponseIsUnreadableAsModel() async throws {
        let error = try await failure(of: Get("status/204", as: Echo.self))
        guard case .unreadable(_, let response) = error else { throw error }
        #expect(response.head.status == 204)
        #expect(error.description.contains("the body is empty"))
    }

    @Test(arguments: [300, 301, 302, 303, 304, 305, 307, 308, 399])
    func rejects3xxThatIsNotFollowed(status: Int) async throws {
        let error = try await error(of: status, options: RequestOptions(redirects: .refuse))
        guard case .rejected(_, let response) = error else { throw error }
        #expect(response.head.status == status)
    }

    /// These have no location, or are not followed.
    @Test(arguments: [300, 304, 305, 306, 308]) func rejects3xxWithoutLocation(status: Int) async throws {
        let error = try await failure(of: Get("status/\(status)"))
        guard case .rejected(_, let response) = error else { throw error }
        #expect(response.head.status == status)
    }

    @Test(
        arguments: [
            400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 412, 413, 415, 416, 417, 418, 422, 423, 425, 428, 429,
            431, 451,
            499, 500, 501, 502, 503, 504, 505, 507, 511, 599,
        ])
    func rejects4xxAnd5xxWithStatus(status: Int) async throws {
        let error = try await error(of: status)
        guard case .rejected(let failure, let response) = error else { throw error }
        #expect(failure != nil)
        #expect(response.head.status == status)
        #expect(error.status == status)
        #expect(error.description.contains("/status/\(status): \(status)"))
    }

    @Test func readsModelOfFailure() async throws {
        struct Refusal: JSONAPIResponse {
            let message: String
            let accept: [String]
        }
        struct Refused: HTTPBinRequest {
            typealias Response = NoContent
            typealias Failure = Refusal
            var path: URLPath { "status/406" }
        }
        do {
            try await _ = URLSession.api.send(Refused())
            Issue.record("not rejected")
        } catch APIError<Refusal>.rejected(let refusal?, let response) {
            #expect(response.head.status == 406)
            #expect(refusal.message == "Client did not request a supported media type.")
            #expect(refusal.accept.contains("image/*"))
        }
    }

    @Test func keepsStatusIfFailureIsUnreadable() async throws {
        struct Refused: HTTPBinRequest {
            typealias Response = NoContent
            typealias Failure = ProblemDetails
            var path: URLPath { "status/418" }
        }
        let error = try await failure(of: Refused())
        guard case .rejected(nil, let response) = error else { throw error }
        #expect(response.head.status == 418)
        #expect(response.body.data?.isEmpty == false)
        #expect(response.head.headers["x-more-info"] == "http://tools.ietf.org/html/rfc2324")
    }

    @Test func missingResourceIsNilForFound() async throws {
        #expect(try await URLSession.api.send(Get("status/404", as: Found<Echo>.self)) == nil)
        #expect(try await URLSession.api.send(Get("get", as: Found<Echo>.self)) != nil)
    }

    @Test func endpointDecidesWhatIsSuccess() async throws {
        struct Lenient: HTTPBinRequest {
            typealias Response = Data
            var path: URLPath { "status/418" }
            func isSuccess(_ head: HTTPResponse.Head) -> Bool { head.status == 418 }
        }
        let text = try await String(decoding: URLSession.api.send(Lenient()), as: UTF8.self)
        #expect(text.contains("teapot"))
    }
}
