import APIKit
import APIKitTestServer
import APIKitUploads
import Testing

/// The servers of the tests of uploads. `Scripts/interop` starts them, and sets a variable to the address of each. The
/// files in `Tests/Environment/uploads` say what they speak.
enum UploadServer: String, CaseIterable, Codable, CustomTestStringConvertible {
    case tuspyserver = "APIKIT_UPLOADS_TUSPYSERVER"
    case resumableUpload = "APIKIT_UPLOADS_RESUMABLE"
    case gcpStorageEmulator = "APIKIT_UPLOADS_GCP"
    case nioExtras = "APIKIT_UPLOADS_NIO"

    /// The servers that run. Swift-nio-extras takes a minute to build, so it does only by night.
    static let running = allCases.filter { $0.address != nil }

    /// The servers that speak tus.
    static let ofTus: [UploadServer] = [.tuspyserver, .resumableUpload]

    var testDescription: String { "\(self)".split(separator: ".").last.map(String.init) ?? rawValue }

    fileprivate static func variable(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

    fileprivate var address: URL? { Self.variable(rawValue).flatMap { URL(string: $0) } }

    /// The port of the server.
    var port: Int {
        get throws { try #require(address?.port) }
    }

    /// Returns the bytes that the server has stored for an upload.
    func storedFile(of uploaded: UploadedFile, named name: String) async throws -> Data {
        let folder = URL(fileURLWithPath: try #require(Self.variable("APIKIT_UPLOADS_FOLDER")))
        let identifier = uploaded.url.lastPathComponent
        switch self {
        case .tuspyserver: return try Data(contentsOf: folder.appendingPathComponent("tuspyserver/\(identifier)"))
        case .resumableUpload:
            return try Data(contentsOf: folder.appendingPathComponent("resumable-upload/\(identifier)"))
        case .nioExtras: return try Data(contentsOf: folder.appendingPathComponent(name))
        case .gcpStorageEmulator:
            return try await URLSession.api.send(StoredObject(base: APIBase(try #require(address)), name: name))
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Runs a suite if the servers are available.
    static var uploadServers: Self {
        .enabled(if: !UploadServer.running.isEmpty, "run by Scripts/interop")
    }
}

/// The contents of an object in gcp-storage-emulator.
private struct StoredObject: APIRequest {
    typealias Response = Data
    let base: APIBase
    let name: String
    var path: URLPath { "storage/v1/b/uploads/o/\(name)" }
    var query: Parameters { ["alt": "media"] }
}

/// An upload to one of the servers.
struct FileUpload: ResumableUpload, Sendable {
    typealias Response = UploadedFile
    let server: UploadServer
    let file: URL
    /// The port of the server, or of a proxy.
    let port: Int
    var chunkSize: Int = 1 << 20
    var checksum: UploadProtocol.Checksum?
    var sendsFirstChunk = false

    var base: APIBase { APIBase("http://127.0.0.1:\(port)") }

    private var name: String { file.lastPathComponent }

    var path: URLPath {
        switch server {
        case .tuspyserver, .resumableUpload: "files"
        case .gcpStorageEmulator: "upload/storage/v1/b/uploads/o"
        case .nioExtras: "\(name)"
        }
    }

    var query: Parameters {
        server == .gcpStorageEmulator ? ["uploadType": "resumable", "name": name] : [:]
    }

    var uploadProtocol: UploadProtocol {
        switch server {
        case .tuspyserver, .resumableUpload:
            .tus(
                metadata: ["filename": name, "filetype": "video/mp4"], checksum: checksum,
                sendsFirstChunk: sendsFirstChunk)
        case .gcpStorageEmulator: .sessionURL
        case .nioExtras: .draft
        }
    }
}

/// A file with its own name and contents, a folder for the state of its upload, and a proxy before the server. All of
/// it is removed at the end of a test.
final class UploadFixture: Sendable {
    let server: UploadServer
    let proxy: FaultyProxy
    let contents: Data
    private let folder: URL

    var file: URL { folder.appendingPathComponent("\(folder.lastPathComponent).mp4") }
    var state: URL { folder.appendingPathComponent("state") }

    /// - Parameters:
    ///   - server: The server.
    ///   - size: The size of the file.
    ///   - faults: What happens to the connections.
    /// - Throws: What the file system or the proxy throws.
    init(_ server: UploadServer, size: Int, faults: [FaultyProxy.Fault] = []) throws {
        self.server = server
        proxy = try FaultyProxy(to: server.port, faults: faults)
        var generator = SplitMix64(state: UInt64(size))
        let words = (0..<(size + 7) / 8).map { _ in generator.next() }
        contents = words.withUnsafeBytes { Data($0.prefix(size)) }
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("upload-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try contents.write(to: file)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The upload of the file through the proxy.
    func upload(chunkSize: Int = 1 << 20) -> FileUpload {
        FileUpload(server: server, file: file, port: proxy.port, chunkSize: chunkSize)
    }

    /// Checks that the server has the bytes of the file, and that no state is left.
    func expectStored(_ uploaded: UploadedFile, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let stored = try await server.storedFile(of: uploaded, named: file.lastPathComponent)
        #expect(stored.count == contents.count, sourceLocation: sourceLocation)
        // Not in `#expect`, which would print megabytes.
        let isSame = stored == contents
        #expect(isSame, "the stored bytes differ", sourceLocation: sourceLocation)
        #expect(try PendingUpload.all(in: state).isEmpty, sourceLocation: sourceLocation)
    }
}

/// A clock that is ten times as fast, so that a test waits for shorter pauses.
private struct FastClock: Clock {
    private let start = ContinuousClock.now
    private let factor = 10

    var now: ContinuousClock.Instant { start + (ContinuousClock.now - start) * factor }
    var minimumResolution: Duration { ContinuousClock().minimumResolution * factor }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try await ContinuousClock().sleep(until: start + (deadline - start) / factor)
    }
}

/// The platform's engine with a fast clock.
struct FastClient: WrappingClient {
    let base: any APIClient = URLSession.api
    let clock: any Clock<Duration> = FastClock()

    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        try await base.perform(request, in: call)
    }
}
