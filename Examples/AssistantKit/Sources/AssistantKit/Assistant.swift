import APIKit
public import Foundation

/// A client of the assistant's API, for one base URL and the keys of one account.
public struct Assistant: Sendable {
    private let client: any APIClient

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - keys: The keys to use, one after the other: the next one once the API has refused one, or its quota is used
    ///     up.
    ///   - url: Where the API is, such as a proxy of one's own; nil for the API itself.
    public init(keys: [String], at url: URL? = nil) {
        self.init(keys: keys, at: url.map { APIBase($0) } ?? .assistant, on: URLSession.api)
    }

    /// Creates a client around another one, such as a stub.
    init(keys: [String], at base: APIBase = .assistant, on client: any APIClient) {
        self.client =
            client
            .based(at: base)
            .authorized(by: KeyRing(keys), for: base) { response in
                response.head.status == 401
                    || response.body.text?.contains("insufficient_quota") == true
            }
            .retrying()
    }

    /// The models that the keys may use, page by page as they are read.
    public var models: Models {
        Models(items: client.items(of: ModelsRequest(), in: \.data))
    }

    /// Asks a question.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - timeout: How long each piece of the answer may take; by default, 60 seconds.
    /// - Returns: The answer, which is read as it comes.
    /// - Throws: Why there is no answer.
    public func answer(to question: String, timeout: Duration? = nil) async throws(AssistantError) -> Answer {
        do {
            let request = CompletionRequest(question: question)
            let options = RequestOptions(timeout: timeout.map { .after($0) })
            return Answer(events: try await client.send(request, options: options))
        } catch {
            throw AssistantError(error)
        }
    }

    /// Submits questions that are answered later.
    ///
    /// - Parameters:
    ///   - questions: The questions.
    ///   - key: What the API knows the batch by: repeated with the same key, it is created once. A program that may
    ///     end in between keeps the key.
    /// - Returns: The batch.
    /// - Throws: Why it was not created.
    public func submit(_ questions: [String], key: UUID = UUID()) async throws(AssistantError) -> Batch {
        do {
            return try await client.send(BatchRequest(questions: questions, key: key))
        } catch {
            throw AssistantError(error)
        }
    }
}

/// Keys that are used one after the other.
private actor KeyRing: CredentialSource {
    private var keys: [String]

    init(_ keys: [String]) { self.keys = keys }

    func credential() -> Credential? { keys.first.map { .bearer($0) } }

    func replacement(for refused: Credential) -> Credential? {
        if credential() == refused { keys.removeFirst() }
        return credential()
    }
}
