import APIKit
import Testing

/// Bodies that are compressed, streamed, large, or of other types than JSON.
@Suite(.httpbin, .timeLimit(.minutes(1))) struct ContentTests {
    private struct Compressed: JSONAPIResponse {
        let gzipped: Bool?
        let deflated: Bool?
        let brotli: Bool?
        let method: String
    }

    @Test(arguments: ["gzip", "deflate", "brotli"])
    func readsCompressedBodies(encoding: String) async throws {
        let model = try await URLSession.api.send(Get("\(encoding)", as: Compressed.self))
        #expect([model.gzipped, model.deflated, model.brotli].contains(true))
        #expect(model.method == "GET")
    }

    @Test func readsTextInItsCharset() async throws {
        let text = try await URLSession.api.send(Get("encoding/utf8", as: String.self))
        #expect(text.contains("∮ E⋅da = Q,  n → ∞, ∑ f(i) = ∏ g(i)"))
        #expect(text.contains("Οὐχὶ ταὐτὰ παρίσταταί μοι γιγνώσκειν"))
        let html = try await URLSession.api.send(Get("html", as: String.self))
        #expect(html.contains("Herman Melville - Moby-Dick"))
    }

    @Test func sendsTextInPath() async throws {
        let text = "héllo wörld? #1"
        let value = Data(text.utf8).base64EncodedString()
        #expect(try await URLSession.api.send(Get("base64/\(value)", as: String.self)) == text)
    }

    @Test func readsBytes() async throws {
        let first = try await URLSession.api.send(Get("bytes/4096", parameters: ["seed": 7]))
        let second = try await URLSession.api.send(Get("bytes/4096", parameters: ["seed": 7]))
        #expect(first.count == 4096)
        #expect(first == second)
        #expect(try await URLSession.api.send(Get("bytes/0")).isEmpty)
        #expect(try await URLSession.api.send(Get("image/png")).starts(with: [0x89, 0x50, 0x4E, 0x47]))
    }

    @Test(arguments: [1, 1_000, 100_000])
    func readsChunkedBodies(chunkSize: Int) async throws {
        let parameters: Parameters = ["seed": 1, "chunk_size": chunkSize]
        let reply = try await URLSession.api.reply(to: Get("stream-bytes/10000", parameters: parameters))
        #expect(reply.model.count == 10_000)
        #expect(reply.head.headers[.contentLength] == nil)
        #expect(reply.model == (try await URLSession.api.send(Get("bytes/10000", parameters: ["seed": 1]))))
    }

    @Test func readsJSONLines() async throws {
        let text = try await URLSession.api.send(Get("stream/20", as: String.self))
        struct Line: Decodable {
            let id: Int
        }
        let ids = try text.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)).id }
        #expect(ids == Array(0..<20))
    }

    @Test func readsSlowBodyCompletely() async throws {
        let parameters: Parameters = ["duration": 0.3, "numbytes": 10]
        let reply = try await URLSession.api.reply(to: Get("drip", parameters: parameters))
        #expect(reply.model == Data(repeating: 0x2A, count: 10))
        let (firstByte, finished) = try (#require(reply.timing.firstByte), #require(reply.timing.finished))
        #expect(finished - firstByte > .milliseconds(100))
    }

    @Test func readsRange() async throws {
        let headers: HTTPHeaders = ["Range": "bytes=10-19"]
        let reply = try await URLSession.api.reply(to: Get("range/100", as: String.self, headers: headers))
        #expect(reply.head.status == 206)
        #expect(reply.model == "klmnopqrst")
        #expect(reply.head.headers["Content-Range"] == "bytes 10-19/100")
    }

    @Test(arguments: ["bytes/100000", "stream-bytes/100000"] as [URLPath])
    func throwsIfBodyExceedsLimit(path: URLPath) async throws {
        let error = try await failure(of: Get(path, options: RequestOptions(sizeLimit: 99_999)))
        #expect(error.transportCode == .bodyTooLarge)
        let exactly = Get(path, options: RequestOptions(sizeLimit: 100_000))
        #expect(try await URLSession.api.send(exactly).count == 100_000)
    }

    @Test func sendsAndReceivesLargeBody() async throws {
        let text = String(repeating: "0123456789abcdef", count: 1 << 18)
        let body = RequestBody.data(Data(text.utf8), contentType: "text/plain; charset=utf-8")
        let echo = try await URLSession.api.send(AnythingInBody(method: .put, body: body))
        #expect(echo.data?.utf8.count == 4 << 20)
        #expect(echo.data == text)
    }

    @Test func readsModel() async throws {
        struct Slideshow: JSONAPIResponse {
            let slideshow: Show
            struct Show: Decodable {
                let title: String
                let slides: [Slide]
            }
            struct Slide: Decodable {
                let title: String
                let items: [String]?
            }
        }
        let show = try await URLSession.api.send(Get("json", as: Slideshow.self)).slideshow
        #expect(show.title == "Sample Slide Show")
        #expect(show.slides.map(\.items?.count) == [nil, 2])
    }

    @Test func otherFormatIsUnreadable() async throws {
        let error = try await failure(of: Get("xml", as: Echo.self))
        guard case .unreadable(let cause, let response) = error else { throw error }
        #expect(cause is DecodingError)
        #expect(response.body.data?.starts(with: Data("<?xml".utf8)) == true)
        #expect(error.description.contains("/xml: 200, but the body could not be read"))
    }
}
