import APIKit
import APIKitTestServer

/// How fast streams are read and written, and how soon an event arrives.
struct StreamCost {
    let only: String

    func measure() async throws {
        let word = String(repeating: "x", count: 100)
        try await read("text lines", "\(word)\n") { for try await _ in TextLines(bytes: $0) {} }
        try await read("JSON lines", "{\"id\":1,\"text\":\"\(word)\"}\n") {
            for try await _ in JSONLines<Message>(bytes: $0) {}
        }
        try await read("events", "event: note\nid: 46\ndata: \(word)\n\n") {
            for try await _ in ServerSentEvents(bytes: $0) {}
        }
        try await read("events of 1 KB", "data: \(String(repeating: word, count: 10))\n\n") {
            for try await _ in ServerSentEvents(bytes: $0) {}
        }
        try await writeForms()
        try await measureLatency()
    }

    private struct Message: Decodable {
        let id: Int
        let text: String
    }

    /// Reads 128 MiB that are there already, in chunks as the network has them.
    private func read(_ name: String, _ element: String, _ read: (ByteStream) async throws -> Void) async throws {
        let chunk = Data(String(repeating: element, count: (16 << 10) / element.utf8.count).utf8)
        let bytes = ByteStream(Array(repeating: chunk, count: (128 << 20) / chunk.count))
        try await report("read as \(name)", (128 << 20) / chunk.count * chunk.count) { try await read(bytes) }
    }

    private func writeForms() async throws {
        let size = 256 << 20
        let data = Data(count: size)
        var form = MultipartForm()
        form.append(FilePart(data, filename: "a.bin"), for: "file")
        try await report("form in memory", size) { [form] in _ = RequestBody.multipart(form).data?.count }
        let text = String(repeating: "What many people look for, in 5 minutes & at caf\u{E9}s: ", count: 200_000)
        let parameters: Parameters = ["text": text]
        try await report("form, URL-encoded", text.utf8.count) { _ = RequestBody.form(parameters).data?.count }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("stream-cost-\(UUID().uuidString)")
        try data.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        form = MultipartForm()
        form.append(FilePart(file), for: "file")
        try await report("form from a file", size) { [form] in
            for try await _ in RequestBody.multipart(form).bytes {}
        }
    }

    private func report(_ name: String, _ bytes: Int, _ work: () async throws -> Void) async throws {
        guard only.isEmpty || name.contains(only) else { return }
        var speeds: [Double] = []
        for _ in 0..<5 {
            let start = ContinuousClock.now
            try await work()
            speeds.append(Double(bytes) / 1e6 / (start.duration(to: .now) / .seconds(1)))
        }
        print(
            String(format: "%@ %7.0f MB/s", name.padding(toLength: 30, withPad: " ", startingAt: 0), speeds.sorted()[2])
        )
    }

    /// From the moment that the server is let go until the event is in the loop.
    private func measureLatency() async throws {
        guard only.isEmpty || "latency of an event".contains(only) else { return }
        let gates = (0..<200).map { _ in Gate() }
        let server = try LoopbackServer { _ in
            let head = Data("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n".utf8)
            let events = gates.flatMap { [.waitFor($0), .send(Data("data: x\n\n".utf8))] as [ServerAnswer.Step] }
            return ServerAnswer(steps: [.send(head)] + events + [.close])
        }
        var times: [Duration] = []
        var sent = ContinuousClock.now
        let events = try await URLSession.api.send(BigRequest<ServerSentEvents>(base: APIBase(server.url)))
        gates[0].open()
        for try await _ in events {
            times.append(sent.duration(to: .now))
            guard times.count < gates.count else { continue }
            sent = .now
            gates[times.count].open()
        }
        let median = times.sorted()[times.count / 2] / .microseconds(1)
        print(String(format: "latency of an event, median of 200: %.0f µs", median))
    }
}
