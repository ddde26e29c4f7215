import APIKitCore
public import APIKitStreams

extension StubClient.Answer {
    /// An event stream.
    ///
    /// ```swift
    /// let stub = try StubClient().answering(
    ///     ChatRequest.self, with: .events([.init(json: ChatChunk(text: "Hello")), .init(data: "[DONE]")]))
    /// ```
    ///
    /// - Parameters:
    ///   - events: The events. The first one comes with the head.
    ///   - interval: The time before each further event and before the failure; it begins when the reader asks for the
    ///     event.
    ///   - error: What the stream fails with after its events; nil if it is complete.
    /// - Returns: The answer.
    public static func events(
        _ events: [ServerSentEvents.Event], every interval: Duration = .zero, failingWith error: (any Error)? = nil
    ) -> StubClient.Answer<Model> {
        .stream(
            events.map { Data($0.wireText.utf8) }, every: interval, failingWith: error,
            headers: [.contentType: MIMEType.eventStream.rawValue])
    }
}

extension ServerSentEvents.Event {
    /// Creates an event with a value as JSON, written with its own encoder if it is a ``JSONBody``,
    /// otherwise with `JSONEncoder.api`.
    ///
    /// - Throws: ``RequestError`` if the value cannot be encoded.
    public init(json value: some Encodable, type: String = "message", id: String = "") throws {
        let data = try RequestBody.json(value, encoder: StandardJSON.encoder(for: Swift.type(of: value))).prepared()
            .data
        self.init(type: type, data: String(decoding: data ?? Data(), as: UTF8.self), id: id)
    }

    /// The event as it is sent (WHATWG HTML, section 9.2.6).
    fileprivate var wireText: String {
        let fields = [type == "message" ? "" : "event: \(type)\n", id.isEmpty ? "" : "id: \(id)\n"]
        let lines = data.split(separator: "\n", omittingEmptySubsequences: false).map { "data: \($0)\n" }
        return (fields + lines).joined() + "\n"
    }
}
