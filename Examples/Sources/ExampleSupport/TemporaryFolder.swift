public import APIKitFoundation

/// A folder for what an example need not keep.
public enum TemporaryFolder {
    /// Runs the body with a new folder, and removes that afterwards with all that is in it.
    public static func run<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("example-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }
}
