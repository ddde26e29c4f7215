import APIKitFoundation
import Testing

/// The checks that did not end within their time limit.
///
/// All sessions of a process share a queue, so that a check that occupies it on Linux has the next ones hang too. The
/// first that hangs prints what the process then waits for.
final class Hangs: Sendable {
    private let counts = Locked<[String: Int]>([:])

    /// Runs a check of an engine, unless three of its checks have hung: then the others would take their time too.
    func watch(_ engine: String, _ check: () async throws -> Void) async throws {
        guard counts.withLock({ $0[engine, default: 0] }) < 3 else { return }
        try await withTaskCancellationHandler {
            try await check()
        } onCancel: {
            let isFirst = counts.withLock { counts in
                counts[engine, default: 0] += 1
                return counts.values.reduce(0, +) == 1
            }
            if isFirst { print(Self.processState) }
        }
    }

    /// What each thread waits for, what each descriptor is, and which of them Dispatch watches; empty but on Linux.
    private static var processState: String {
        let process = URL(fileURLWithPath: "/proc/self")
        let threads = entries(of: process.appendingPathComponent("task")).map { thread in
            ["comm", "wchan", "syscall"].map { text(of: thread.appendingPathComponent($0)) }.joined(separator: " ")
        }
        let descriptors = entries(of: process.appendingPathComponent("fd")).map { descriptor in
            // try?: a descriptor may be closed meanwhile.
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: descriptor.path)
            return "\(descriptor.lastPathComponent) \(target ?? "")"
        }
        let watched = entries(of: process.appendingPathComponent("fdinfo")).map(text).filter { $0.contains("tfd:") }
        return (["A check hangs."] + threads.sorted() + descriptors.sorted() + watched).joined(separator: "\n")
    }

    private static func entries(of folder: URL) -> [URL] {
        // try?: only Linux has the folder.
        (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    }

    private static func text(of file: URL) -> String {
        // try?: a thread may end meanwhile.
        let text = try? String(contentsOf: file, encoding: .utf8)
        return text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    }
}
