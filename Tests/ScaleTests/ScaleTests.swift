import APIKitCore
import Foundation
import TestSupport
import Testing

@testable import APIKitClients
@testable import APIKitRecording
@testable import APIKitStreams

/// Twice the input from a server, or twice the callers, take at most 2.5 times the time: otherwise, a hostile server or
/// a busy hour could stop a program. Run alone, in release, since the processor time of the process is measured.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: ProcessInfo.processInfo.environment["APIKIT_SCALE"] != nil, "run by make scale"))
struct ScaleTests {
    /// Work whose time depends on a size.
    struct Row: Sendable, CustomTestStringConvertible {
        typealias Work = @Sendable () async throws -> Void

        let testDescription: String
        /// How long the work takes at least for the size with which the measuring begins.
        var minimum = Duration.milliseconds(20)
        /// Prepares the work for a size, which is not measured.
        let prepare: @Sendable (Int) async throws -> Work

        init(_ name: String, prepare: @escaping @Sendable (Int) async throws -> Work) {
            testDescription = name
            self.prepare = prepare
        }

        /// The processor time of the work for a size.
        func time(_ size: Int) async throws -> Duration {
            let work = try await prepare(size)
            let start = Self.processorTime()
            try await work()
            return Self.processorTime() - start
        }

        /// How many times longer twice the size takes: the best of two rounds for each.
        func ratio(_ size: Int) async throws -> Double {
            let first = (try await time(size), try await time(2 * size))
            let second = (try await time(size), try await time(2 * size))
            return min(first.1, second.1) / min(first.0, second.0)
        }

        private static func processorTime() -> Duration {
            var time = timespec()
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
    }

    @Test(arguments: parsers + hostileTexts + clients + testing)
    func twiceTheInputTakesTwiceTheTime(row: Row) async throws {
        var size = 64
        while try await row.time(size) < row.minimum, size < 1 << 19 { size *= 2 }
        var ratio = try await row.ratio(size)
        // At some sizes memory begins to come from the system, and other programs disturb for seconds; time that grows
        // with the square stays above the limit.
        for attempt in 1...6 where ratio > 2.5 {
            if attempt < 3 { size *= 2 }
            ratio = try await row.ratio(size)
        }
        print("\(String(format: "%.2f", ratio))  \(row.testDescription) (\(size) and \(2 * size))")
        #expect(ratio <= 2.5)
    }
}
