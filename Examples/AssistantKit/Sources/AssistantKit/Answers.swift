import APIKit

/// The models of the API: `for try await model in assistant.models`. It is its own iterator.
public struct Models: AsyncSequence, AsyncIteratorProtocol, Sendable {
    /// A model.
    public struct Model: Decodable, Sendable, Identifiable {
        /// What the API knows it by.
        public let id: String
    }

    var items: PagedItems<Model, Trouble>

    /// Itself.
    public func makeAsyncIterator() -> Models { self }

    /// The next model; the next page is requested when its first model is needed.
    public mutating func next() async throws(AssistantError) -> Model? {
        do {
            return try await items.next()
        } catch {
            throw AssistantError(error)
        }
    }
}

/// The text of an answer, in pieces as they come.
public struct Answer: AsyncSequence, Sendable {
    let events: JSONEvents<Chunk>

    /// Reads the answer from its start; that is possible once.
    public func makeAsyncIterator() -> Iterator { Iterator(events: events.makeAsyncIterator()) }

    /// Reads an answer.
    public struct Iterator: AsyncIteratorProtocol {
        var events: JSONEvents<Chunk>.Iterator

        /// The next piece; nil at the end.
        @concurrent
        public mutating func next() async throws(AssistantError) -> String? {
            do {
                while let chunk = try await events.next() {
                    if let text = chunk.choices.first?.delta.content { return text }
                }
                return nil
            } catch {
                throw AssistantError(error)
            }
        }
    }
}

/// Questions that are answered later.
public struct Batch: Decodable, Sendable, Identifiable {
    /// What the API knows it by.
    public let id: String
    /// How many questions it has.
    public let count: Int
}
