import APIKitCore
import APIKitSupport

/// tus 1.0, with creation, creation-with-upload, checksum and termination.
struct TusDialect: UploadDialect {
    let metadata: [String: String]
    let checksum: UploadProtocol.Checksum?
    let sendsFirstChunk: Bool

    private static let version: HTTPHeaders = ["Tus-Resumable": "1.0.0"]

    var identity: String {
        let pairs = metadata.sorted { $0.key < $1.key }
        return pairs.map { "\($0.key.debugDescription): \($0.value.debugDescription)\n" }.joined()
    }

    func creationHeaders(for file: UploadFile) throws(RequestError) -> HTTPHeaders {
        var headers = Self.version
        headers[.uploadLength] = "\(file.size)"
        if !metadata.isEmpty { headers["Upload-Metadata"] = try metadataText() }
        return headers
    }

    /// Returns the metadata as the header has it: names, and values in Base64, ordered by name.
    private func metadataText() throws(RequestError) -> String {
        var pairs: [String] = []
        for (name, value) in metadata.sorted(by: { $0.key < $1.key }) {
            let isValid = !name.isEmpty && name.utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: ",") }
            guard isValid else {
                throw RequestError(.header, "the name \(name.debugDescription) cannot be sent as metadata of an upload")
            }
            pairs.append("\(name) \(value.utf8Data.base64EncodedString())")
        }
        return pairs.joined(separator: ",")
    }

    func question(about file: UploadFile) -> UploadMessage {
        UploadMessage(kind: .question, method: .head, headers: Self.version)
    }

    func chunk(_ range: Range<Int>, of file: UploadFile) -> UploadMessage {
        var headers = Self.version
        headers[.uploadOffset] = "\(range.lowerBound)"
        return UploadMessage(
            kind: .chunk, method: .patch, headers: headers, range: range, contentType: .offsetOctetStream)
    }

    var abandonment: UploadMessage {
        UploadMessage(kind: .abandonment, method: .delete, headers: Self.version)
    }

    func report(on response: HTTPResponse, to message: UploadMessage, about file: UploadFile) -> UploadReport {
        let head = response.head
        guard 200..<300 ~= head.status else {
            switch (message.kind, head.status) {
            // A server may answer 403 if it does not know the upload, so that nobody learns which ones exist.
            case (.question, 403): return .unknown
            // The status 460 is the protocol's own: the checksum does not match, and the chunk was discarded.
            case (.chunk, 409), (.chunk, 460): return .mismatch
            // The same for a chunk that was sent with the creation, which can be sent again.
            case (.creation, 460): return .busy
            default: return UploadReport(status: head.status)
            }
        }
        if message.kind == .question, head.namesOtherLength(than: file) { return .unknown }
        switch (message.kind, head.uploadOffset) {
        case (_, file.size): return .complete
        case (_, let offset?): return .received(offset)
        // Without a body, the response to the creation has no offset; an empty file is complete then.
        case (.creation, nil): return file.size == 0 ? .complete : .received(0)
        case (.chunk, nil): return .mismatch
        case (.question, nil), (.abandonment, nil): return .refused
        }
    }
}
