import Foundation

/// What a transfer took.
struct Measurement: Codable {
    let seconds: Double
    /// The most memory that its process has ever had, in MiB.
    let peak: Double

    /// Linux tells it in a file; `getrusage` would tell that of the process which started this one too.
    static func currentPeak() throws -> Double {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) } ?? 0) / 1024
    }
}
