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

    /// A client should not send `Tus-Resumable` with OPTIONS.
    var inquiry: UploadMessage? {
        checksum == nil ? nil : UploadMessage(kind: .inquiry, method: .options)
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

    func limits(in response: HTTPResponse) -> UploadLimits? {
        // No server takes only empty files, so a zero states nothing.
        guard let size = response.head.headers["Tus-Max-Size"].flatMap(\.wholeNumber), size > 0 else { return nil }
        return UploadLimits(largestFile: size)
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
        if message.kind == .inquiry { return report(onInquiry: head) }
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
        case (.question, nil), (.abandonment, nil), (.inquiry, nil): return .refused
        }
    }

    /// Returns what the response to the ``inquiry`` means. A server that does not know checksums ignores them, so it
    /// must say that it checks them (tus, "Tus-Checksum-Algorithm").
    private func report(onInquiry head: HTTPResponse.Head) -> UploadReport {
        guard let checksum else { return .suitable }
        guard 200..<300 ~= head.status else {
            let isRefusedAccess = head.status == 401 || head.status == 403
            if isRefusedAccess { return .refused }
            if UploadReport(status: head.status) == .busy { return .busy }
            let problem = "the server does not say whether it checks the chunks by \(checksum.rawValue)"
            return .unsuitable("\(problem), but responds to OPTIONS with \(head.status): upload without a checksum")
        }
        let algorithms = Self.checksums(in: head)
        if algorithms.contains(checksum.rawValue) { return .suitable }
        let problem = "the server does not check the chunks by \(checksum.rawValue)"
        let others = algorithms.filter(\.isPlainName).prefix(8)
        if others.isEmpty { return .unsuitable("\(problem), and offers no other hash: upload without a checksum") }
        return .unsuitable("\(problem), but offers \(others.joined(separator: ", "))")
    }

    /// The names of the checksums that a server offers, in lower case.
    private static func checksums(in head: HTTPResponse.Head) -> [String] {
        if let names = head.headers["Tus-Checksum-Algorithm"] { return names.listElements.map { $0.lowercased() } }
        // Each server with the extension must support SHA-1.
        let extensions = head.headers["Tus-Extension"]?.listElements.map { $0.lowercased() } ?? []
        return extensions.contains("checksum") ? [UploadProtocol.Checksum.sha1.rawValue] : []
    }
}
