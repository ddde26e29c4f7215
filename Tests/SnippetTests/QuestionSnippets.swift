import APIKit
import APIKitTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// The code of the article with questions, unchanged.

func printStatus(from client: any APIClient) async throws {
    let reply = try await client.reply(to: SearchRequest(text: "Lamp"))
    print(reply.head.status, reply.head.headers["ETag"] ?? "")
}

func sendInParallel(with client: any APIClient) async throws -> [Item] {
    async let lamps = client.send(LampsRequest(color: "red"))
    async let chairs = client.send(SearchRequest(text: "chair"))
    let items = try await lamps + chairs
    return items
}

func clientWithCookies() -> any APIClient {
    let configuration = URLSessionConfiguration.api
    configuration.httpCookieStorage = .shared
    configuration.httpShouldSetCookies = true
    let client = URLSession.api(configuration: configuration)
    return client
}

@Suite struct QuestionSnippets {
    @Test func requestsAreSentInParallel() async throws {
        let stub = StubClient()
            .answering(LampsRequest.self, with: .model([Item(id: 7, name: "Lamp")]))
            .answering(SearchRequest.self, with: .model([Item(id: 8, name: "Chair")]))
        let items = try await sendInParallel(with: stub)
        #expect(items.map(\.id) == [7, 8])
    }

    @Test(arguments: ["2026-11-20T18:30:00.123Z", "2026-11-20T18:30:00Z"])
    func datesMayHaveAFraction(text: String) throws {
        let seconds = text.contains(".") ? 0.123 : 0
        for decoder in [JSONReader(), JSONDecoder.api] as [any DataDecoder] {
            let dates = try decoder.decode([Date].self, from: Data("[\"\(text)\"]".utf8))
            let fraction = dates[0].timeIntervalSince1970.truncatingRemainder(dividingBy: 1)
            #expect(abs(fraction - seconds) < 0.001)
        }
    }
}
