import APIKitCore
import Foundation

/// Something that happens once, and may be waited for.
final class Signal: Sendable {
    private let (stream, source) = AsyncStream.makeStream(of: Void.self)

    func fire() {
        source.yield()
        source.finish()
    }

    /// Waits until it has happened, or until the test's time is up.
    func wait() async { for await _ in stream { return } }
}

/// What an asynchronous piece of work throws, as its code or the name of its type; nil if it throws nothing.
func thrown(_ work: () async throws -> some Any) async -> String? {
    do {
        _ = try await work()
        return nil
    } catch {
        return (error as? TransportError)?.code.rawValue ?? "\(type(of: error))"
    }
}

/// Keeps this thread busy for so long.
func spin(for duration: Duration) {
    let start = ContinuousClock.now
    while start.duration(to: .now) < duration {}
}

/// The names of this process's temporary files.
var temporaryFiles: Set<String> {
    let names = try? FileManager.default.contentsOfDirectory(atPath: FileManager.default.temporaryDirectory.path)
    let prefix = "apikit-\(ProcessInfo.processInfo.processIdentifier)-"
    return Set((names ?? []).filter { $0.hasPrefix(prefix) })
}

/// The temporary files of this process that hold exactly these bytes.
func temporaryFiles(holding bytes: Data) -> [URL] {
    let folder = FileManager.default.temporaryDirectory
    return temporaryFiles.map(folder.appendingPathComponent).filter { (try? Data(contentsOf: $0)) == bytes }
}
