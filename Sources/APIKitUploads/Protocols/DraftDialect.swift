import APIKitCore

/// The IETF draft of resumable uploads in its interop version 6 (draft-ietf-httpbis-resumable-upload-05).
///
/// The upload is created without a body, so that its URL is in an ordinary response: no engine reports responses with
/// the status 104.
struct DraftDialect: UploadDialect {
    private static let version: HTTPHeaders = ["Upload-Draft-Interop-Version": "6"]
    /// The values of a boolean in structured fields (RFC 9651, section 3.3.6).
    private static let isTrue = "?1"
    private static let isFalse = "?0"

    func creationHeaders(for file: UploadFile) -> HTTPHeaders {
        var headers = Self.version
        headers[.uploadLength] = "\(file.size)"
        headers[.uploadComplete] = file.size == 0 ? Self.isTrue : Self.isFalse
        return headers
    }

    func question(about file: UploadFile) -> UploadMessage {
        UploadMessage(kind: .question, method: .head, headers: Self.version)
    }

    func chunk(_ range: Range<Int>, of file: UploadFile) -> UploadMessage {
        var headers = Self.version
        headers[.uploadOffset] = "\(range.lowerBound)"
        headers[.uploadComplete] = range.upperBound == file.size ? Self.isTrue : Self.isFalse
        return UploadMessage(kind: .chunk, method: .patch, headers: headers, range: range, contentType: .partialUpload)
    }

    var abandonment: UploadMessage {
        UploadMessage(kind: .abandonment, method: .delete, headers: Self.version)
    }

    func limits(in response: HTTPResponse) -> UploadLimits? { UploadLimits(uploadLimit: response.head.headers) }

    /// Whether a message has more bytes than a response to it allows: a server may lower the limit.
    private func isLongerThanAllowed(_ message: UploadMessage, by response: HTTPResponse) -> Bool {
        guard let most = limits(in: response)?.largestChunk, let range = message.range else { return false }
        return range.count > most
    }

    func report(on response: HTTPResponse, to message: UploadMessage, about file: UploadFile) -> UploadReport {
        let head = response.head
        guard 200..<300 ~= head.status else {
            let isShorterChunkWelcome = head.status == 413 && isLongerThanAllowed(message, by: response)
            // With 409, the offset does not match (section 4.4).
            if message.kind == .chunk, head.status == 409 || isShorterChunkWelcome { return .mismatch }
            return UploadReport(status: head.status)
        }
        let isIncomplete = head.headers[.uploadComplete] == Self.isFalse
        switch message.kind {
        case .creation:
            if file.size == 0 { return .complete }
            return .received(head.uploadOffset ?? 0)
        case .question:
            if head.namesOtherLength(than: file) { return .unknown }
            guard let offset = head.uploadOffset else { return .refused }
            return isIncomplete ? .received(offset) : .complete
        case .chunk:
            guard isIncomplete else { return .complete }
            guard let offset = head.uploadOffset else { return .mismatch }
            return .received(offset)
        case .abandonment:
            return .complete
        case .inquiry:
            return .suitable
        }
    }
}
