import APIKitSupport
import APIKitTestServer
import APIKitUploads
import Foundation

/// A server of uploads over a network, which keeps what has arrived when a connection breaks.
final class NetworkUploadServer: Sendable {
    enum Kind: String, CaseIterable, Codable, Sendable {
        case tus
        /// A server that keeps a chunk only if all of it has arrived.
        case tusWithWholeChunks
        /// Google's servers keep multiples of 256 KiB, in both of their protocols.
        case session
        case google
        case draft

        var uploadProtocol: UploadProtocol {
            switch self {
            case .tus, .tusWithWholeChunks: .tus
            case .session: .sessionURL
            case .google: .googleUpload
            case .draft: .draft
            }
        }

        /// What is kept of an incomplete body is a multiple of this.
        fileprivate var keptMultiple: Int {
            switch self {
            case .tus, .draft: 1
            case .tusWithWholeChunks: .max
            case .session, .google: 256 << 10
            }
        }
    }

    /// What a client has sent, for a test that does something at that moment.
    enum Event {
        case request
        case bytes(Int)
    }

    private let uploads = Uploads()
    private let server: LoopbackServer

    var port: Int { server.port }
    /// The bytes of all bodies, whether they were kept or not.
    var receivedByteCount: Int { uploads.state.withLock { $0.receivedByteCount } }
    /// The bytes of each upload that is complete.
    var completeUploads: [Data] { uploads.state.withLock { $0.uploads.filter(\.isComplete).map(\.bytes) } }

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - kind: The protocol that it speaks.
    ///   - onEvent: Called with each event and the value of the header `X-Process`: before the response to a request,
    ///     and after bytes have arrived.
    /// - Throws: `POSIXError` if no socket can be created.
    init(_ kind: Kind, onEvent: @escaping @Sendable (Event, Int32) -> Void) throws {
        let uploads = uploads
        server = try LoopbackServer { request in
            let writer = Writer(request, kind, uploads)
            return { piece in
                writer.receive(piece)
                onEvent(.bytes(piece.count), request.process)
            }
        } _: { request in
            onEvent(.request, request.process)
            return uploads.state.withLock { $0.answer(to: request, kind) }
        }
    }

    // MARK: - The uploads

    private final class Uploads: Sendable {
        let state = Locked(State())
    }

    private struct Upload {
        let size: Int
        /// Whether the upload is complete only after the command `finalize`.
        let needsFinalCommand: Bool
        var isFinal = false
        var bytes = Data()
        /// The number of requests so far. Only the last one may add bytes: a client that asks how many bytes there are
        /// must not find more of them later.
        var requestCount = 0
        var isComplete: Bool { bytes.count == size && (isFinal || !needsFinalCommand) }
    }

    private struct State {
        var uploads: [Upload] = []
        var receivedByteCount = 0

        mutating func answer(to request: ReceivedRequest, _ kind: Kind) -> ServerAnswer {
            if request.path == "/files" {
                let names = ["Upload-Length", "X-Upload-Content-Length", "X-Goog-Upload-Header-Content-Length"]
                let size = names.flatMap { request.values(of: $0) }.first.flatMap { Int($0) } ?? 0
                let url = "/uploads/\(uploads.count)"
                uploads.append(Upload(size: size, needsFinalCommand: kind == .google))
                return .status(201, headers: [("Location", url), ("X-Goog-Upload-URL", url)])
            }
            guard let index = request.uploadIndex, uploads.indices.contains(index) else { return .status(404) }
            if request.offset == nil { uploads[index].requestCount += 1 }
            let upload = uploads[index]
            if let offset = request.offset, upload.bytes.count < offset + request.bodyLength {
                return .status(409, headers: [("X-Goog-Upload-Status", "active")])
            }
            let isEnd = request.googleCommand?.contains("finalize") == true && upload.bytes.count == upload.size
            if isEnd { uploads[index].isFinal = true }
            return status(of: uploads[index], after: request, kind)
        }

        private func status(of upload: Upload, after request: ReceivedRequest, _ kind: Kind) -> ServerAnswer {
            let count = upload.bytes.count
            switch kind {
            case .tus, .tusWithWholeChunks:
                return .status(request.method == "HEAD" ? 200 : 204, headers: [("Upload-Offset", "\(count)")])
            case .draft:
                let complete = ("Upload-Complete", upload.isComplete ? "?1" : "?0")
                return .status(204, headers: [("Upload-Offset", "\(count)"), complete])
            case .session:
                if upload.isComplete { return .status(200) }
                return .status(308, headers: count == 0 ? [] : [("Range", "bytes=0-\(count - 1)")])
            case .google:
                if upload.isComplete { return .status(200, headers: [("X-Goog-Upload-Status", "final")]) }
                var headers = [("X-Goog-Upload-Status", "active")]
                if request.offset == nil { headers.append(("X-Goog-Upload-Size-Received", "\(count)")) }
                return .status(200, headers: headers)
            }
        }
    }

    /// Adds the body of a request to an upload.
    private final class Writer {
        private let uploads: Uploads
        private let keptMultiple: Int
        private let index: Int?
        private let length: Int
        private let number: Int
        private var pending = Data()
        private var arrivedByteCount = 0

        init(_ request: ReceivedRequest, _ kind: Kind, _ uploads: Uploads) {
            self.uploads = uploads
            keptMultiple = kind.keptMultiple
            length = request.values(of: "Content-Length").first.flatMap { Int($0) } ?? 0
            let (index, number) = uploads.state.withLock { state -> (Int?, Int) in
                guard let index = request.uploadIndex, state.uploads.indices.contains(index),
                    request.offset == state.uploads[index].bytes.count
                else { return (nil, 0) }
                state.uploads[index].requestCount += 1
                return (index, state.uploads[index].requestCount)
            }
            self.index = index
            self.number = number
        }

        func receive(_ piece: Data) {
            pending += piece
            arrivedByteCount += piece.count
            let isEnd = arrivedByteCount == length
            let kept = isEnd ? pending.count : pending.count / keptMultiple * keptMultiple
            uploads.state.withLock { [pending] state in
                state.receivedByteCount += piece.count
                guard let index, state.uploads[index].requestCount == number else { return }
                state.uploads[index].bytes += pending.prefix(kept)
            }
            pending = Data(pending.dropFirst(kept))
        }
    }
}

extension ReceivedRequest {
    /// The number of the process that sent it.
    fileprivate var process: Int32 { values(of: "X-Process").first.flatMap { Int32($0) } ?? 0 }

    fileprivate var uploadIndex: Int? {
        path.hasPrefix("/uploads/") ? Int(path.dropFirst("/uploads/".count)) : nil
    }

    fileprivate var googleCommand: String? { values(of: "X-Goog-Upload-Command").first }

    /// Where the bytes of the body begin; nil for a question.
    fileprivate var offset: Int? {
        let offsets = values(of: "Upload-Offset") + values(of: "X-Goog-Upload-Offset")
        if let offset = offsets.first { return Int(offset) }
        guard let range = values(of: "Content-Range").first, !range.hasPrefix("bytes */") else { return nil }
        return Int(range.dropFirst("bytes ".count).prefix { $0.isNumber })
    }
}
