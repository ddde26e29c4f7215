import APIKitCore
import APIKitSupport

/// Google's protocol of commands, which the header `X-Goog-Upload-Protocol: resumable` begins.
struct GoogleDialect: UploadDialect {
    /// What the server says about an upload.
    private enum Status: String {
        /// The server waits for bytes, or for the command `finalize`.
        case active
        /// The upload has ended, with success if the response is one.
        case final
        case cancelled
    }

    /// Google's servers state it when an upload is created; most of them say 256 KiB.
    var chunkMultiple: Int { 256 << 10 }

    private func command(
        _ command: String, kind: UploadMessage.Kind, headers: HTTPHeaders = [:], range: Range<Int> = 0..<0,
        contentType: MIMEType? = nil
    ) -> UploadMessage {
        var headers = headers
        headers[.googleCommand] = command
        return UploadMessage(kind: kind, method: .post, headers: headers, range: range, contentType: contentType)
    }

    func creationHeaders(for file: UploadFile) -> HTTPHeaders {
        [
            "X-Goog-Upload-Protocol": "resumable",
            .googleCommand: "start",
            "X-Goog-Upload-Header-Content-Length": "\(file.size)",
            "X-Goog-Upload-Header-Content-Type": file.type.rawValue,
            // The names of the same values in the documentation of Google Photos.
            "X-Goog-Upload-Raw-Size": "\(file.size)",
            "X-Goog-Upload-Content-Type": file.type.rawValue,
        ]
    }

    func location(in response: HTTPResponse) -> String? { response.head.headers["X-Goog-Upload-URL"] }

    func limits(in response: HTTPResponse) -> UploadLimits? {
        guard let granularity = response.head.headers["X-Goog-Upload-Chunk-Granularity"].flatMap(\.wholeNumber),
            granularity > 0
        else { return nil }
        return UploadLimits(chunkMultiple: granularity)
    }

    func question(about file: UploadFile) -> UploadMessage { command("query", kind: .question) }

    func chunk(_ range: Range<Int>, of file: UploadFile) -> UploadMessage {
        let isLast = range.upperBound == file.size
        let text: String
        switch (range.isEmpty, isLast) {
        // The server has all bytes of the file, which may be empty, and waits for the end.
        case (true, _): text = "finalize"
        case (false, true): text = "upload, finalize"
        case (false, false): text = "upload"
        }
        return command(
            text, kind: .chunk, headers: [.googleOffset: "\(range.lowerBound)"], range: range, contentType: file.type)
    }

    var abandonment: UploadMessage { command("cancel", kind: .abandonment) }

    func report(on response: HTTPResponse, to message: UploadMessage, about file: UploadFile) -> UploadReport {
        let headers = response.head.headers
        let status = headers["X-Goog-Upload-Status"].flatMap { Status(rawValue: $0.lowercased()) }
        if status == .cancelled { return .unknown }
        guard 200..<300 ~= response.head.status else {
            return report(onFailure: response.head.status, status, to: message.kind)
        }
        if status == .final { return .complete }
        let received = headers[.googleSizeReceived].flatMap(\.wholeNumber)
        switch message.kind {
        case .inquiry:
            return .suitable
        case .creation:
            return .received(0)
        case .abandonment:
            return .complete
        case .question:
            guard status == .active, let received else { return .refused }
            return .received(received)
        case .chunk:
            // Google's own clients do not rely on a success without a status, which is not the protocol's.
            guard status == .active else { return .mismatch }
            if let received { return .received(received) }
            // A success without a number means that the server has the whole chunk. After one that cannot be read, the
            // server is asked.
            let hasNoNumber = headers[.googleSizeReceived] == nil
            guard hasNoNumber, let range = message.range else { return .mismatch }
            return .received(range.upperBound)
        }
    }

    private func report(onFailure code: Int, _ status: Status?, to kind: UploadMessage.Kind) -> UploadReport {
        switch (kind, status, code) {
        // The chunk does not fit, and the upload is still open.
        case (.chunk, .active, 308), (.chunk, .active, 400), (.chunk, .active, 409), (.chunk, .active, 412),
            (.chunk, .active, 416):
            return .mismatch
        // The upload has ended with a failure, and cannot be continued.
        case (.question, .final, _):
            return .unknown
        default:
            return UploadReport(status: code)
        }
    }
}

extension HTTPHeaders.Name {
    fileprivate static let googleCommand: Self = "X-Goog-Upload-Command"
    fileprivate static let googleOffset: Self = "X-Goog-Upload-Offset"
    fileprivate static let googleSizeReceived: Self = "X-Goog-Upload-Size-Received"
}
