import APIKitCore
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import APIKitStreams

/// Both dialects of chat completions, cut in many places, and everywhere with `APIKIT_SOAK=1`.
@Suite(.timeLimit(.minutes(10))) struct ChatStreamTests {
    private static let step = Effort.isSoaking ? 1 : Effort.rounds(101, thorough: 23)

    /// What a loop has read, and how it ended.
    private struct Reading: Equatable {
        var texts: [String] = []
        var arguments: [String] = []
        var ending = ""
    }

    @Test(arguments: ChatStream.all) func everyChunkingGivesTheSameValues(stream: ChatStream) async {
        let (data, expected) = (stream.data, expected(stream))
        #expect(await reading([data], of: stream) == expected)
        for cut in Swift.stride(from: 1, to: data.count, by: Self.step) {
            #expect(await reading([data.prefix(cut), data.dropFirst(cut)], of: stream) == expected, "at \(cut)")
        }
        #expect(await reading(data.map { Data([$0]) }, of: stream) == expected)
    }

    @Test(arguments: ChatStream.all) func everyTruncationIsAnError(stream: ChatStream) async {
        let (data, expected) = (stream.data, expected(stream))
        // The blank line that completes the last event.
        let lastByte = data.count - (stream.habit == .carriageReturns ? 1 : 0)
        for count in Swift.stride(from: 0, to: lastByte, by: Self.step) {
            let reading = await reading([data.prefix(count)], of: stream)
            #expect(reading.ending == "connectionLost", "at \(count)")
            #expect(expected.texts.starts(with: reading.texts), "at \(count)")
            #expect(expected.arguments.starts(with: reading.arguments), "at \(count)")
        }
    }

    private func expected(_ stream: ChatStream) -> Reading {
        let ending = stream.ending == .complete ? "complete" : "rejected: overloaded"
        return Reading(texts: stream.texts, arguments: stream.arguments, ending: ending)
    }

    private func reading(_ chunks: [Data], of stream: ChatStream) async -> Reading {
        let body = ServerSentEvents(bytes: ByteStream(chunks).failing(in: context))
        var reading = Reading()
        do {
            if stream.isTyped {
                for try await event in body.decoded(as: MessageEvent.self) {
                    guard case .delta(let block) = event else { continue }
                    if let text = block.delta.text { reading.texts.append(text) }
                    if let json = block.delta.partial_json { reading.arguments.append(json) }
                }
            } else {
                for try await chunk in body.decoded(as: ChatChunk.self) {
                    guard let delta = chunk.choices.first?.delta else { continue }
                    if let text = delta.content { reading.texts.append(text) }
                    if let json = delta.tool_calls?.first?.function.arguments { reading.arguments.append(json) }
                }
            }
            reading.ending = "complete"
        } catch APIError<Overload>.transport(let error) {
            reading.ending = error.code.rawValue
        } catch APIError<Overload>.rejected(let error?, _) {
            reading.ending = "rejected: \(error.error.message)"
        } catch {
            reading.ending = "\(error)"
        }
        return reading
    }

    private struct Overload: JSONResponse {
        struct Cause: Decodable { let message: String }
        let error: Cause
    }

    private let context = ReadingContext(
        of: Endpoint<ServerSentEvents, Overload>(),
        HTTPResponse(head: .init(status: 200, url: URL(fileURLWithPath: "/"))), in: Call())
}
