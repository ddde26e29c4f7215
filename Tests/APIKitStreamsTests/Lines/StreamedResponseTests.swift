import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitStreams

@Suite(.timeLimit(.minutes(10))) struct StreamedResponseTests {
    struct Readings: StreamedResponse {
        typealias Element = Double
        let bytes: ByteStream
        func element(from line: ByteStream.Line) -> Double? { Double(line.text) }
    }

    /// Sums of consecutive lines: an empty line ends one. A line that is not a number is an error of its own.
    struct Sums: StreamedResponse {
        struct NotANumber: Error {}
        typealias Element = Int

        let bytes: ByteStream
        var elementLimit = 8
        private var sum = 0

        init(bytes: ByteStream) { self.bytes = bytes }

        mutating func element(from line: ByteStream.Line) throws -> Int? {
            guard !line.data.isEmpty else {
                defer { sum = 0 }
                return sum
            }
            if line.text == "broken" { throw TransportError(.badResponse) }
            if line.text == "cancel" { throw CancellationError() }
            guard let number = Int(line.text) else { throw NotANumber() }
            sum += number
            return nil
        }
    }

    @Test func fiveLinesMakeAStreamedResponse() async throws {
        let client = ImmediateClient(.text("1.5\n\n-2\r\n3"))
        let readings = try await client.send(Endpoint<Readings, Data>())
        #expect(try await readings.collected() == [1.5, -2, 3])
        #expect(try await Readings.process(data: Data("7".utf8)).collected() == [7])
        #expect(try Endpoint<Readings, Data>().httpRequest().delivery == .stream)
    }

    @Test func keepsStateBetweenLinesButNotBetweenIterators() async throws {
        let sums = Sums(bytes: ByteStream("1\n2\n\n3\n\n4"))
        #expect(try await sums.collected() == [3, 3])
        #expect(try await sums.collected() == [3, 3])
    }

    @Test func continuesAfterAnUnreadableElement() async throws {
        let sums = Sums(bytes: ByteStream("1\nx\n2\n\n"))
        #expect(await steps(4, of: sums) == ["ContentError", "3", "nil", "nil"])
        let error = try await #require(throws: ContentError.self) { _ = try await sums.collected() }
        #expect(error.elementNumber == 2)
        #expect(error.excerpt == "x")
        #expect(error.underlying is Sums.NotANumber)
    }

    @Test(
        arguments: [("broken", "TransportError"), ("cancel", "CancellationError"), ("123456789", "TransportError")]
            as [(String, String)])
    func endsWithAnyOtherError(line: String, error: String) async {
        let sums = Sums(bytes: ByteStream("1\n\n\(line)\n2\n\n"))
        #expect(await steps(4, of: sums) == ["1", error, "nil", "nil"])
    }

    @Test func linesSayWhatTheyAre() async throws {
        struct Lines: StreamedResponse {
            typealias Element = ByteStream.Line
            let bytes: ByteStream
            func element(from line: ByteStream.Line) -> ByteStream.Line? { line }
        }
        let lines = try await Lines(bytes: ByteStream("\u{FEFF}a\n\nb")).collected()
        #expect(lines.map(\.number) == [1, 2, 3])
        #expect(lines.map(\.isTerminated) == [true, true, false])
        #expect(lines.map(\.text) == ["a", "", "b"])
        // Safe to subscript: not a slice of the chunk.
        #expect(lines.map { $0.data.startIndex } == [0, 0, 0])
    }
}
