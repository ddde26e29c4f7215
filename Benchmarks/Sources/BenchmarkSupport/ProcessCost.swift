import Foundation

/// The seconds that some work took, by the clock and of the processor.
package struct Cost {
    package var seconds: Double
    package var cpu: Double

    package init(seconds: Double, cpu: Double) {
        (self.seconds, self.cpu) = (seconds, cpu)
    }

    /// The clocks now; that of the processor is this process's.
    package static var now: Cost {
        Cost(seconds: seconds(CLOCK_MONOTONIC), cpu: seconds(CLOCK_PROCESS_CPUTIME_ID))
    }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    package static func - (left: Cost, right: Cost) -> Cost {
        Cost(seconds: left.seconds - right.seconds, cpu: left.cpu - right.cpu)
    }
}

/// What a process that did one thing reports to the one that started it.
package struct ProcessCost: Codable {
    package let seconds: Double
    /// The seconds of the processor.
    package let cpu: Double
    /// The most memory that the process has ever had, in MiB.
    package let peak: Double
    package let failures: Int

    /// Creates a measurement with the peak of this process.
    package init(_ cost: Cost, failures: Int = 0) throws {
        (seconds, cpu, self.failures) = (cost.seconds, cost.cpu, failures)
        peak = try Self.currentPeak()
    }

    /// Linux reports it in a file; `getrusage` would count that of the process which started this one too.
    private static func currentPeak() throws -> Double {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) } ?? 0) / 1024
    }

    /// Runs this program with these arguments, and reads what it prints.
    package static func ofProcess(_ arguments: [String]) throws -> ProcessCost {
        try JSONDecoder().decode(Self.self, from: Data(try Shell.run("/proc/self/exe", arguments).utf8))
    }

    /// Prints the measurement for ``ofProcess(_:)``.
    package func print() throws {
        Swift.print(String(decoding: try JSONEncoder().encode(self), as: UTF8.self))
    }
}

extension Array where Element: Comparable {
    /// The median; nil if there are no values.
    package var median: Element? { isEmpty ? nil : sorted()[count / 2] }
}
