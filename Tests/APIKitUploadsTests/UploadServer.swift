import APIKitCore
import APIKitTesting
import APIKitUploads
import Foundation

/// A server of uploads in memory, which speaks each protocol and fails as it is told to.
actor UploadServer: APIClient {
    enum Kind: CaseIterable {
        case tus, tusWithFirstChunk, session, google, graph, draft
    }

    /// What happens to a request with bytes of the file.
    enum Fault {
        /// The connection breaks after this many bytes of the body, which the server keeps.
        case cut(after: Int)
        /// The server keeps all bytes, and the connection breaks before the response.
        case lostResponse
        /// The response has this status, and the server keeps nothing.
        case status(Int, HTTPHeaders = [:])
        /// The server forgets the upload, and responds with 404.
        case forgets
        /// The server keeps the bytes and then loses all but this many.
        case loses(allBut: Int)
        /// The server claims to have this many bytes.
        case claims(Int)
        /// The task that uploads is cancelled.
        case cancels
        /// Something happens before the body is read.
        case happens(@Sendable () -> Void)
        /// The server waits before it reads the body.
        case waits(@Sendable () async -> Void)
    }

    nonisolated let kind: Kind
    /// What a response to the creation of an upload states about sizes.
    private let limits: HTTPHeaders
    /// Whether an upload has got Google's command `finalize`.
    private var isFinal = false
    nonisolated let clock: any Clock<Duration> = ManualClock(skippingSleep: true)
    /// The bytes of the current upload; nil without one.
    private(set) var bytes: Data?
    private var size = 0
    private var faults: [Fault]
    private var uploads = 0
    /// The methods and offsets of the requests.
    private(set) var log: [String] = []
    /// The requests but for those that ask what the server supports.
    private(set) var requests: [HTTPRequest] = []
    private(set) var inquiries: [HTTPRequest] = []
    private(set) var byteCount = 0
    private(set) var isAbandoned = false

    init(_ kind: Kind, _ faults: [Fault] = [], limits: HTTPHeaders = [:]) {
        self.kind = kind
        self.faults = faults
        self.limits = limits
    }

    func add(_ fault: Fault) { faults.append(fault) }

    nonisolated var uploadProtocol: UploadProtocol {
        switch kind {
        case .tus: .tus
        case .tusWithFirstChunk: .tus(metadata: ["name": "a b"], checksum: .sha1, sendsFirstChunk: true)
        case .session: .sessionURL
        case .google: .googleUpload
        case .graph: .graph
        case .draft: .draft
        }
    }

    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        if request.method == .options {
            inquiries.append(request)
            let extensions = "creation,creation-with-upload,checksum"
            return response(
                to: request, 204,
                ["Tus-Version": "1.0.0", "Tus-Extension": extensions, "Tus-Checksum-Algorithm": "md5, SHA1"])
        }
        requests.append(request)
        let path = request.url.path
        let command = request.headers["X-Goog-Upload-Command"]
        if request.method == .delete || command == "cancel" {
            log.append("DELETE")
            bytes = nil
            isAbandoned = true
            return response(to: request, 204)
        }
        if path == "/files" { return try await create(request) }
        guard path == "/uploads/\(uploads)", bytes != nil else { return response(to: request, 404) }
        if isQuestion(request) {
            log.append("ask")
            return status(of: request)
        }
        return try await append(request)
    }

    private func create(_ request: HTTPRequest) async throws -> HTTPResponse {
        log.append("create")
        uploads += 1
        bytes = Data()
        isFinal = false
        let lengths: [HTTPHeaders.Name] = [
            "Upload-Length", "X-Upload-Content-Length", "X-Goog-Upload-Header-Content-Length",
        ]
        size = lengths.compactMap { request.headers[$0] }.first.flatMap { Int($0) } ?? .max
        switch kind {
        case .tusWithFirstChunk:
            let result = try await append(request, at: 0)
            guard 200..<300 ~= result.head.status else { return result }
            var created = response(to: request, 201, result.head.headers)
            created.head.headers[.location] = "/uploads/\(uploads)"
            return created
        case .graph:
            let body = #"{"uploadUrl": "https://files.example/uploads/\#(uploads)"}"#
            return response(to: request, 200, [:], body)
        case .session:
            return response(to: request, 200, [.location: "/uploads/\(uploads)?upload_id=c4pability"])
        case .google:
            let url = "https://api.example/uploads/\(uploads)?upload_id=c4pability"
            var headers: HTTPHeaders = ["X-Goog-Upload-Status": "active", "X-Goog-Upload-URL": url]
            headers.addMissing(from: limits)
            return response(to: request, 200, headers)
        case .tus, .draft:
            var headers: HTTPHeaders = [.location: "/uploads/\(uploads)"]
            headers.addMissing(from: limits)
            return response(to: request, 201, headers)
        }
    }

    private func isQuestion(_ request: HTTPRequest) -> Bool {
        switch kind {
        case .tus, .tusWithFirstChunk, .draft: request.method == .head
        case .session: request.headers[.contentRange]?.hasPrefix("bytes */") == true && bytes?.count != size
        case .google: request.headers["X-Goog-Upload-Command"] == "query"
        case .graph: request.method == .get
        }
    }

    private func append(_ request: HTTPRequest, at offset: Int? = nil) async throws -> HTTPResponse {
        let offsets: [HTTPHeaders.Name] = ["Upload-Offset", "X-Goog-Upload-Offset", .contentRange]
        let text = offsets.compactMap { request.headers[$0] }.first ?? "0"
        let start = offset ?? Int(text.drop { !$0.isNumber }.prefix { $0.isNumber }) ?? 0
        log.append("send \(start)")
        let fault = faults.isEmpty ? nil : faults.removeFirst()
        switch fault {
        case .status(let status, let headers)?: return response(to: request, status, headers)
        case .forgets?:
            bytes = nil
            return response(to: request, 404)
        case .cancels?:
            withUnsafeCurrentTask { $0?.cancel() }
            throw CancellationError()
        case .happens(let event)?: event()
        case .waits(let event)?: await event()
        default: break
        }
        let isCreation = offset != nil
        guard isCreation || start == bytes?.count || text.hasPrefix("bytes */") else {
            return response(to: request, kind == .graph ? 416 : 409, ["X-Goog-Upload-Status": "active"])
        }
        var limit = Int.max
        if case .cut(let count)? = fault { limit = count }
        if let body = request.body {
            for try await piece in body.bytes {
                let kept = piece.prefix(limit)
                bytes?.append(kept)
                byteCount += kept.count
                limit -= kept.count
                if limit == 0 { break }
            }
        }
        if request.headers["X-Goog-Upload-Command"]?.contains("finalize") == true {
            isFinal = bytes?.count == size
        }
        switch fault {
        case .cut?, .lostResponse?:
            throw TransportError(.connectionLost)
        case .loses(let count)?:
            bytes = bytes?.prefix(count)
        case .claims(let count)?:
            return status(of: request, count)
        default: break
        }
        return status(of: request)
    }

    /// The response that says how many bytes the server has.
    private func status(of request: HTTPRequest, _ claim: Int? = nil) -> HTTPResponse {
        let count = claim ?? bytes?.count ?? 0
        let isComplete = count == size
        let model = #"{"id": 7}"#
        switch kind {
        case .tus, .tusWithFirstChunk:
            return response(to: request, request.method == .head ? 200 : 204, ["Upload-Offset": "\(count)"])
        case .draft:
            if isComplete, request.method == .head {
                return response(to: request, 204, ["Upload-Offset": "\(count)", "Upload-Complete": "?1"])
            }
            if isComplete { return response(to: request, 200, [:], model) }
            return response(to: request, 204, ["Upload-Offset": "\(count)", "Upload-Complete": "?0"])
        case .google:
            let isQuestion = isQuestion(request)
            // Firebase does not repeat its last response.
            if isFinal {
                return response(to: request, 200, ["X-Goog-Upload-Status": "final"], isQuestion ? "" : model)
            }
            var headers: HTTPHeaders = ["X-Goog-Upload-Status": "active"]
            // Google states the number only if it is asked for.
            if isQuestion || claim != nil { headers["X-Goog-Upload-Size-Received"] = "\(count)" }
            return response(to: request, 200, headers)
        case .session:
            if isComplete { return response(to: request, 200, [:], model) }
            return response(to: request, 308, count == 0 ? [:] : ["Range": "bytes=0-\(count - 1)"])
        case .graph:
            let total = Int(request.headers[.contentRange]?.split(separator: "/").last ?? "")
            if let total, count == total { return response(to: request, 201, [:], model) }
            return response(to: request, 202, [:], #"{"nextExpectedRanges": ["\#(count)-"]}"#)
        }
    }

    private func response(
        to request: HTTPRequest, _ status: Int, _ headers: HTTPHeaders = [:], _ body: String = ""
    ) -> HTTPResponse {
        HTTPResponse(
            head: HTTPResponse.Head(status: status, headers: headers, url: request.url),
            body: ResponseBody(Data(body.utf8)), request: request)
    }
}

/// An endpoint of the server.
struct FileUpload: ResumableUpload {
    typealias Response = FileReply
    var file: URL
    var uploadProtocol: UploadProtocol
    var chunkSize: Int = 1000
    var uploadHosts: Set<String> = ["files.example"]
    var fileType: MIMEType = "video/mp4"
    var headers: HTTPHeaders = [:]
    var location: String?
    var base: APIBase = APIBase("https://api.example", headers: ["X-App": "1"])
    var path: URLPath { "files" }

    func uploadLocation(in response: HTTPResponse) -> String? { location }
}

/// The last response: a model, or none where the protocol has none.
struct FileReply: APIResponse, Equatable {
    var id: Int?

    static func process(data: Data) throws -> FileReply {
        guard !data.isEmpty else { return FileReply(id: nil) }
        struct Body: JSONResponse { let id: Int }
        return FileReply(id: try Body.process(data: data).id)
    }
}

/// A folder with a file, which is removed at the end of a test.
final class UploadFolder: Sendable {
    let url: URL
    var file: URL { url.appendingPathComponent("film.mp4") }
    var state: URL { url.appendingPathComponent("state") }
    let bytes: Data

    init(size: Int) throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("uploads-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        bytes = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ ($0 >> 8)) })
        try bytes.write(to: file)
        // A change within the same tick of the volume's clock would not be noticed.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)], ofItemAtPath: file.path)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The files of the state.
    var journals: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: state.path)) ?? []
    }
}
