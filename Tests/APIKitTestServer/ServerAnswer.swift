public import Foundation

/// What the server does after a request: a well-formed response, or any misbehavior as a list of steps.
///
/// ```swift
/// .json(#"{"id": 46}"#)                                                     // a response
/// .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort")                 // a body that ends early
/// ServerAnswer(steps: [.waitFor(gate)] + ServerAnswer.status(204).steps)    // delayed by the test
/// ServerAnswer(steps: [.reset])                                             // no response
/// ```
public struct ServerAnswer: Sendable {
    /// One step of the server on the connection.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Step: Sendable {
        /// Sends the bytes as they are.
        case send(Data)
        /// Sends the same bytes a number of times, for a body of any size that does not take memory.
        case sendRepeatedly(Data, times: Int)
        /// Sends the bytes as they are, one at a time.
        case drip(Data)
        /// Sends the bytes repeatedly, with a pause after each time, until the client closes the connection or the
        /// server stops; later steps do not run.
        case sendForever(Data, pause: Duration)
        /// Does nothing until the client closes the connection or the server stops; later steps do not run.
        case waitForClient
        /// Does nothing until the test opens the gate or the server stops, even if the client has gone.
        case waitFor(Gate)
        /// Closes the connection with a TCP reset; later steps do not run.
        case reset
        /// Closes the connection cleanly; later steps do not run.
        case close
    }

    /// The steps, in order; the connection stays open afterwards unless a step or the request closes it.
    public var steps: [Step]
    /// Whether the response to HEAD ends after its head.
    private var isWellFormed = false

    /// Creates an answer from steps, which are performed unchanged, even for HEAD.
    public init(steps: [Step]) { self.steps = steps }

    /// Sends a text as it is, in UTF-8, and closes the connection.
    public static func raw(_ text: String) -> Self { Self(steps: [.send(Data(text.utf8)), .close]) }

    /// A well-formed response.
    ///
    /// `Content-Length` is added unless the headers contain it or `Transfer-Encoding`. A response to HEAD keeps it and
    /// omits the body. Responses with status 1xx, 204 or 304 get neither a length nor a body.
    public static func status(
        _ status: Int, reason: String = "", headers: [(String, String)] = [], body: Data = Data()
    ) -> Self {
        let hasBody = status >= 200 && status != 204 && status != 304
        let isFramed = headers.contains { ["content-length", "transfer-encoding"].contains($0.0.lowercased()) }
        let length = hasBody && !isFramed ? [("Content-Length", "\(body.count)")] : []
        return wellFormed([head(status, reason, headers + length) + (hasBody ? body : Data())])
    }

    /// A well-formed response of type `application/json`.
    public static func json(_ text: String, status: Int = 200) -> Self {
        .text(text, status: status, contentType: "application/json")
    }

    /// A well-formed response with a text in UTF-8.
    public static func text(
        _ text: String, status: Int = 200, contentType: String = "text/plain; charset=utf-8"
    ) -> Self {
        .status(status, headers: [("Content-Type", contentType)], body: Data(text.utf8))
    }

    /// A well-formed response in chunks, each sent by itself; empty chunks are skipped, since they would end the body.
    public static func chunked(_ chunks: [Data], status: Int = 200, headers: [(String, String)] = []) -> Self {
        let framed = chunks.filter { !$0.isEmpty }.map { chunk in
            Data("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Data("\r\n".utf8)
        }
        let start = head(status, "", headers + [("Transfer-Encoding", "chunked")])
        return wellFormed([start] + framed + [Data("0\r\n\r\n".utf8)])
    }

    /// The steps for a request with this method.
    package func steps(for method: String) -> [Step] {
        guard isWellFormed, method == "HEAD" else { return steps }
        var isHeadSent = false
        return steps.compactMap { step in
            if case .sendRepeatedly = step { return nil }
            guard case .send(let data) = step else { return step }
            guard !isHeadSent else { return nil }
            isHeadSent = true
            return .send(data.range(of: Data("\r\n\r\n".utf8)).map { data[..<$0.upperBound] } ?? data)
        }
    }

    private static func wellFormed(_ pieces: [Data]) -> Self {
        var answer = Self(steps: pieces.map(Step.send))
        answer.isWellFormed = true
        return answer
    }

    private static func head(_ status: Int, _ reason: String, _ headers: [(String, String)]) -> Data {
        let lines = ["HTTP/1.1 \(status) \(reason)"] + headers.map { "\($0): \($1)" }
        return Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }
}
