import Foundation
import Testing

/// The cases that are known to fail, with a reason for each.
private let knownFailures: [String: String] = {
    let text = (try? String(contentsOf: Files.folder.appending(path: "failures.txt"), encoding: .utf8)) ?? ""
    var reasons: [String: String] = [:]
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
        let parts = line.components(separatedBy: " | ")
        if parts.count == 3 { reasons["\(parts[0]) | \(parts[1])"] = parts[2] }
    }
    return reasons
}()

extension ConformanceCase {
    /// Runs the case: it must pass, or fail if failures.txt lists it.
    ///
    /// - Parameter call: Calls the operation with an SDK whose network is the server, and returns what it reported.
    /// - Throws: `POSIXError` if the server cannot be started, and what `call` throws, which no case expects.
    public func run(_ call: (ScriptedServer) async throws -> Outcome) async throws {
        let server = try ScriptedServer(playing: self)
        let outcome = try await call(server)
        let check = CaseCheck(test: self, requests: server.requests, outcome: outcome)
        let problem = server.refusedURLs.first.map { "a request for \($0)" } ?? check.problem()
        if let reason = knownFailures["\(suite) | \(description)"] {
            #expect(problem != nil, "The case passes: remove it from failures.txt, which says \"\(reason)\"")
        } else {
            #expect(problem == nil)
        }
    }
}
