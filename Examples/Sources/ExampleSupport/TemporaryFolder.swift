public import APIKit

/// A folder for the temporary files of an example.
public enum TemporaryFolder {
    /// Runs the body with a new folder, and then removes the folder with its contents.
    public static func run<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("example-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }
}
