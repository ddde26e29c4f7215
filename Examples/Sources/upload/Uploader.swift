import APIKit
import ExampleSupport

/// Uploads files, two at a time, and prints the outcome of each.
struct Uploader {
    let client: any APIClient
    let isSlow: Bool
    private let bar = ProgressBar()

    init(_ client: any APIClient, isSlow: Bool) {
        self.client = client
        self.isSlow = isSlow
    }

    /// Uploads the files, and cancels the one at the index `cancelled` once a part of it is sent.
    func upload(_ files: [URL], cancelling cancelled: Int?) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, file) in files.enumerated() {
                if index >= 2 { try await group.next() }  // wait until one has ended
                group.addTask { try await upload(file, isCancelled: index == cancelled) }
            }
            try await group.waitForAll()
        }
    }

    private func upload(_ file: URL, isCancelled: Bool) async throws {
        let name = file.lastPathComponent
        let (reports, reporter) = AsyncStream.makeStream(
            of: TransferProgress.self, bufferingPolicy: .bufferingNewest(1))
        try await withThrowingTaskGroup(of: String.self) { group in
            group.addTask {
                defer { reporter.finish() }
                let request = PutFileRequest(file: file, isSlow: isSlow || isCancelled)
                return try await outcome(of: request, progress: .anywhere { reporter.yield($0) })
            }
            for await report in reports {
                bar.show(name, report.bytesSent, of: report.totalBytesToSend)
                if isCancelled, report.bytesSent > 0 { group.cancelAll() }
            }
            for try await outcome in group { bar.end(name, printing: "\(name): \(outcome)") }
        }
    }

    private func outcome(of request: PutFileRequest, progress: TransferProgress.Handler) async throws -> String {
        do {
            return "\(try await client.send(request, progress: progress).size) bytes"
        } catch .cancelled {
            return "cancelled"
        }
    }
}
