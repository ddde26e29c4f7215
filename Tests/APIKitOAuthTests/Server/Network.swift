import APIKitClients
import APIKitCore
import APIKitFoundation
import APIKitRecording
import Foundation
import TestSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The client that tests reach the servers of this module with. For `Scripts/secrets`, it logs and records everything.
let network: any APIClient = {
    guard let evidence = Evidence.folder else { return URLSession.api }
    return URLSession.api
        .recording(to: HARFile(evidence.appendingPathComponent("traffic.har")))
        .logged(headers: true, bodies: true) { Evidence.append($0, to: "log.txt") }
}()

/// What stands in for a browser. Its requests contain codes, as those of every browser do.
let browserNetwork: any APIClient = URLSession.api

/// What the tests of this module leave behind for `Scripts/secrets`, which searches it for the secrets of all servers.
enum Evidence {
    /// The folder; nil unless the script runs the tests.
    static let folder = ProcessInfo.processInfo.environment["APIKIT_EVIDENCE"].map { URL(fileURLWithPath: $0) }
    private static let lock = NSLock()

    /// Appends a text to a file of the folder.
    static func append(_ text: String, to name: String) {
        guard let folder else { return }
        lock.withLock {
            let url = folder.appendingPathComponent(name)
            if !FileManager.default.fileExists(atPath: url.path) {
                _ = FileManager.default.createFile(atPath: url.path, contents: nil)
            }
            guard let file = try? FileHandle(forWritingTo: url) else { return }
            _ = try? file.seekToEnd()
            try? file.write(contentsOf: Data((text + "\n").utf8))
            try? file.close()
        }
    }
}
