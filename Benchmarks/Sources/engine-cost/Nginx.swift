import APIKit
import APIKitCurl
import BenchmarkSupport

/// An nginx on loopback, so that the server's work is not measured with the client's.
final class Nginx {
    let url: URL
    /// The same over TLS, with a certificate that is its own root.
    let secureURL: URL
    let certificate: URL
    private let process: Process
    private let folder: URL

    /// Starts a server that responds to `/items?count=` with some items as JSON for each of the counts, to a POST to
    /// `/create` with the first of these lists, and to `/large` with zeros.
    ///
    /// - Throws: `CocoaError` if nginx is not installed or does not start, `ExitCode` if openssl is missing.
    init(counts: [Int], largeSize: Int) async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "APIKit-nginx-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for count in counts { try Item.list(count).write(to: folder.appending(path: "items-\(count)")) }
        certificate = folder.appending(path: "certificate")
        let command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=test"
        let files = "-addext subjectAltName=IP:127.0.0.1 -out '\(certificate.path)' -keyout '\(folder.path)/key'"
        _ = try Shell.run("/bin/sh", ["-c", "\(command) \(files) 2>/dev/null"])
        // A file with a hole takes no room on the disk.
        try Data().write(to: folder.appending(path: "large"))
        let large = try FileHandle(forWritingTo: folder.appending(path: "large"))
        try large.truncate(atOffset: UInt64(largeSize))
        try large.close()
        let created = String(decoding: Item.list(counts[0]), as: UTF8.self)
        // A port may be taken.
        for _ in 0..<10 {
            let port = Int.random(in: 10_000..<30_000)
            let url = URL(string: "http://127.0.0.1:\(port)")!  // a valid literal
            if let process = try await Self.start(in: folder, created: created, port: port, url: url) {
                (self.url, self.process) = (url, process)
                secureURL = URL(string: "https://127.0.0.1:\(port + 1)")!  // likewise
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
    private static func start(in folder: URL, created: String, port: Int, url: URL) async throws -> Process? {
        let path = folder.path
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(path);" }
        let configuration = """
            daemon off; master_process off; pid \(path)/pid; error_log \(path)/log; events {}
            http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000; keepalive_timeout 1h;
            default_type application/json; \(temporary.joined(separator: " "))
            ssl_certificate \(path)/certificate; ssl_certificate_key \(path)/key;
            server { listen 127.0.0.1:\(port); listen 127.0.0.1:\(port + 1) ssl; root \(path);
            location /items { try_files /items-$arg_count =404; } location /create { return 200 '\(created)'; } } }
            """
        let file = folder.appending(path: "nginx.conf")
        try Data(configuration.utf8).write(to: file)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["nginx", "-c", file.path, "-e", "\(path)/log"]
        // Otherwise it would keep a pipe open that a killed benchmark writes to.
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        let client = CurlClient()
        while process.isRunning {
            if (try? await client.perform(HTTPRequest(url: url))) != nil { return process }
            try await Task.sleep(for: .milliseconds(20))
        }
        return nil
    }
}
