import APIKitFoundation

/// An nginx on loopback, so that the server's work is not measured with the client's.
final class Nginx {
    let url: URL
    private let process: Process
    private let folder: URL

    /// Starts a server that answers `/items` with some bytes as JSON, and `/large` with zeros.
    ///
    /// - Throws: `CocoaError` if nginx is not installed, or does not start.
    init(items: Data, largeSize: Int) async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "APIKit-nginx-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try items.write(to: folder.appending(path: "items"))
        // A file with a hole takes no room on the disk.
        try Data().write(to: folder.appending(path: "large"))
        let large = try FileHandle(forWritingTo: folder.appending(path: "large"))
        try large.truncate(atOffset: UInt64(largeSize))
        try large.close()
        // The port may be taken.
        for _ in 0..<10 {
            let port = Int.random(in: 20_000..<60_000)
            let url = URL(string: "http://127.0.0.1:\(port)")!  // a valid literal
            if let process = try await Self.start(in: folder, port: port, url: url) {
                (self.url, self.process) = (url, process)
                return
            }
        }
        throw CocoaError(.executableLoad)
    }

    deinit {
        // A process that is started from this thread inherits that most signals are blocked.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Returns once the server responds; nil if it ends before that.
    private static func start(in folder: URL, port: Int, url: URL) async throws -> Process? {
        let path = folder.path
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(path);" }
        let configuration = """
            daemon off; master_process off; pid \(path)/pid; error_log \(path)/log; events {}
            http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000; default_type application/json;
            \(temporary.joined(separator: " ")) server { listen 127.0.0.1:\(port); root \(path); } }
            """
        let file = folder.appending(path: "nginx.conf")
        try Data(configuration.utf8).write(to: file)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["nginx", "-c", file.path, "-e", "\(path)/log"]
        try process.run()
        while process.isRunning {
            let request = HTTPRequest(url: url.appending(path: "items"))
            if (try? await URLSession.api.perform(request)) != nil { return process }
            try await Task.sleep(for: .milliseconds(20))
        }
        return nil
    }
}
