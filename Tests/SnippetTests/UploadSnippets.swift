import APIKit
import APIKitTesting
import APIKitUploads
import Observation
import Testing

#if canImport(SwiftUI)
import CoreTransferable
import SwiftUI
import UniformTypeIdentifiers
#endif

// The code of the article UploadingLargeFiles, and of the doc comments of APIKitUploads, unchanged.

nonisolated extension APIBase {
    static let supabase = APIBase("https://my-project.storage.supabase.co/storage/v1")
}

// MARK: - The commonest case

func uploadVideo(_ url: URL, _ client: any APIClient, folder: URL) async throws {
    let video = try await client.upload(VideoUpload(file: url), keepingStateIn: folder)
    print(video.url)
}

func uploadVideoWithProgress(_ url: URL, _ client: any APIClient, folder: URL) async throws {
    let video = try await client.upload(VideoUpload(file: url), keepingStateIn: folder) {
        print($0.fraction)
    }
    print(video.url)
}

func uploadVideoInTerminal(_ url: URL, _ client: any APIClient, folder: URL) async throws {
    let video = try await client.upload(VideoUpload(file: url), keepingStateIn: folder) {
        let line = "\r\(Int(100 * $0.fractionSent)) %"
        FileHandle.standardError.write(Data(line.utf8))
    }
    print(video.url)
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor @Observable final class VideoUploadModel {
    private(set) var progress: UploadProgress?
    private(set) var message: String?
    private(set) var isUploading = false
    private(set) var isDone = false
    private var task: Task<Void, Never>?

    func start(_ file: URL, with client: any APIClient, keepingStateIn folder: URL) {
        guard !isUploading, !isDone else { return }
        (message, isUploading) = (nil, true)
        task = Task {
            do {
                let request = VideoUpload(file: file)
                _ = try await client.upload(request, keepingStateIn: folder) {
                    await self.show($0)
                }
                (message, isDone) = ("Your video is online.", true)
            } catch {
                message = alertText(for: error)
            }
            isUploading = false
        }
    }

    func cancel() {
        task?.cancel()
    }

    private func show(_ progress: UploadProgress) {
        self.progress = progress
    }
}

#if canImport(SwiftUI)
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
struct VideoUploadView: View {
    let client: any APIClient
    let file: URL
    let folder: URL
    let model: VideoUploadModel

    var body: some View {
        VStack {
            if model.isUploading {
                ProgressView("Uploading", value: model.progress?.fractionSent)
                Button("Pause") { model.cancel() }
            } else if !model.isDone {
                Button("Upload") {
                    model.start(file, with: client, keepingStateIn: folder)
                }
            }
            if let message = model.message { Text(message) }
        }
    }
}

nonisolated struct PickedVideo: Transferable {
    let file: URL

    static var transferRepresentation: some TransferRepresentation {
        FileRepresentation(importedContentType: .movie) { received in
            let name = "\(UUID().uuidString).\(received.file.pathExtension)"
            let copy = URL.documentsDirectory.appending(path: name)
            try FileManager.default.copyItem(at: received.file, to: copy)
            return PickedVideo(file: copy)
        }
    }
}

struct VideoApp: App {
    var body: some Scene {
        WindowGroup {
            ContentView().task {
                await continueUploads(with: URLSession.api, in: folder)
            }
        }
    }

    private var folder: URL { folderOfState(accountID: "ada") }
    private struct ContentView: View { var body: some View { Text("Videos") } }
}
#endif

// MARK: - State

func folderOfState(accountID: String) -> URL {
    let support = FileManager.default.urls(
        for: .applicationSupportDirectory, in: .userDomainMask)[0]
    let folder = support.appending(path: "Uploads").appending(path: accountID)
    return folder
}

func continueUploads(with client: any APIClient, in folder: URL) async {
    let uploads = (try? PendingUpload.all(in: folder)) ?? []
    for upload in uploads {
        // An upload that fails keeps its state, and is continued the next time.
        let request = VideoUpload(file: upload.file)
        _ = try? await client.upload(request, keepingStateIn: folder)
    }
}

/// The doc comment of `PendingUpload`.
func continueEachUpload(_ client: any APIClient, folder: URL) async throws {
    for upload in try PendingUpload.all(in: folder) {
        _ = try await client.upload(VideoUpload(file: upload.file), keepingStateIn: folder)
    }
}

func abandon(_ file: URL, _ client: any APIClient, folder: URL) async throws {
    try await client.abandonUpload(VideoUpload(file: file), keptIn: folder)
}

// MARK: - Protocols

struct SupabaseUpload: ResumableUpload {
    typealias Response = UploadedFile
    var file: URL
    var bucket: String
    var name: String
    var replacesObject = false
    var base: APIBase { .supabase }
    var path: URLPath { "upload/resumable" }
    var headers: HTTPHeaders { ["x-upsert": replacesObject ? "true" : nil] }
    var chunkSize: Int { 6 << 20 }  // what Supabase asks for, and no other size
    var minimumChunkSize: Int { chunkSize }
    var uploadProtocol: UploadProtocol {
        .tus(metadata: [
            "bucketName": bucket, "objectName": name, "contentType": fileType.rawValue,
        ])
    }
}

struct StoredObject: JSONResponse {
    let name: String
    let generation: String
}

struct ObjectUpload: ResumableUpload {
    typealias Response = StoredObject
    var file: URL
    var bucket: String
    var name: String
    var base: APIBase { "https://storage.googleapis.com/upload/storage/v1" }
    var path: URLPath { "b/\(bucket)/o" }
    var query: Parameters { ["uploadType": "resumable", "name": name] }
    var uploadProtocol: UploadProtocol { .sessionURL }
}

struct DriveFile: JSONResponse, JSONBody {
    var id: String?
    var name: String
}

struct DriveUpload: ResumableUpload {
    typealias Response = DriveFile
    var file: URL
    var base: APIBase { "https://www.googleapis.com/upload/drive/v3" }
    var path: URLPath { "files" }
    var query: Parameters { ["uploadType": "resumable"] }
    var body: RequestBody? { .json(DriveFile(name: file.lastPathComponent)) }
    var uploadProtocol: UploadProtocol { .sessionURL }
}

struct GeminiFile: JSONResponse {
    let name: String
    let uri: URL

    struct Reply: JSONResponse {
        let file: GeminiFile
    }
}

struct GeminiUpload: ResumableUpload {
    typealias Response = GeminiFile.Reply
    var file: URL
    var base: APIBase { "https://generativelanguage.googleapis.com" }
    var path: URLPath { "upload/v1beta/files" }
    var body: RequestBody? {
        .json(["file": ["display_name": file.lastPathComponent]])
    }
    var uploadProtocol: UploadProtocol { .googleUpload }
}

struct FirebaseUpload: ResumableUpload {
    typealias Response = StoredObject?
    var file: URL
    var bucket: String
    var name: String
    var base: APIBase { "https://firebasestorage.googleapis.com/v0" }
    var path: URLPath { "b/\(bucket)/o" }
    var query: Parameters { ["name": name] }
    var body: RequestBody? { .json(["name": name, "contentType": fileType.rawValue]) }
    var uploadProtocol: UploadProtocol { .googleUpload }
}

struct DriveItem: JSONResponse {
    let id: String
    let name: String
}

struct DriveItemUpload: ResumableUpload {
    typealias Response = DriveItem
    var file: URL
    var name: String
    var base: APIBase { "https://graph.microsoft.com/v1.0" }
    var path: URLPath { "me/drive/root:/\(name):/createUploadSession" }
    var body: RequestBody? {
        .json(["item": ["@microsoft.graph.conflictBehavior": "replace"]])
    }
    var uploadProtocol: UploadProtocol { .graph }
    var uploadHosts: Set<String> { ["contoso-my.sharepoint.com"] }
}

struct Clip: JSONResponse {
    let id: Int
}

struct ClipUpload: ResumableUpload {
    typealias Response = Clip
    var file: URL
    var base: APIBase { .videos }
    var path: URLPath { "clips" }
    var uploadProtocol: UploadProtocol { .draft }
}

func protocolsWithChecks() -> [UploadProtocol] {
    let checked: UploadProtocol = .tus(metadata: [:], checksum: .sha1)
    let quick: UploadProtocol = .tus(metadata: [:], sendsFirstChunk: true)
    return [checked, quick]
}

// MARK: - Errors

@MainActor func upload(_ file: URL, _ client: any APIClient, folder: URL) async -> String {
    do {
        let request = VideoUpload(file: file)
        let video = try await client.upload(request, keepingStateIn: folder)
        return "Uploaded as \(video.url.lastPathComponent)."
    } catch .cancelled {
        return "Paused."
    } catch .transport(let error) where error.code == .fileInUse {
        return "The upload is in progress elsewhere."
    } catch .transport(let error) where error.code == .requestBodyFailed {
        return "The file has changed. Upload it again."
    } catch .transport(let error)
        where TransportError.Code.transient.contains(error.code)
    {
        return "The connection was lost. Upload the file again to continue."
    } catch .rejected(_, let response) where response.head.status == 413 {
        return "The file is too large."
    } catch {
        return "The upload has failed."
    }
}

// MARK: - Tests

private func offset(_ count: Int, status: Int) -> StubClient.Answer<Never> {
    .status(status, headers: ["Upload-Offset": "\(count)"])
}

@Test func anUploadContinuesWhereTheServerStands() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "film.mp4")
    try Data("12345".utf8).write(to: file)
    let location: HTTPHeaders = [.location: "/files/7"]
    let stub = StubClient(clock: ManualClock(skippingSleep: true))
        .answering(.post, "/files", with: .status(201, headers: location))
        .answering(
            .patch, "/files/7",
            once: .failure(TransportError(.connectionLost)), offset(5, status: 204)
        )
        .answering(.head, "/files/7", with: offset(2, status: 200))

    let video = try await stub.upload(VideoUpload(file: file))
    #expect(video.url.path == "/files/7")
    let requests = stub.requests.map {
        "\($0.method) \($0.headers["Upload-Offset"] ?? "-")"
    }
    #expect(requests == ["POST -", "PATCH 0", "HEAD -", "PATCH 2"])
}

/// A stub of a server that takes a whole file in one request.
private func serverOfVideos() -> StubClient {
    StubClient(clock: ManualClock(skippingSleep: true))
        .answering(.post, "/files", with: .status(201, headers: [.location: "/files/7"]))
        .answering(.patch, "/files/7", with: offset(5, status: 204))
}

private func temporaryFolderWithVideo() throws -> (folder: URL, file: URL) {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "film.mp4")
    try Data("12345".utf8).write(to: file)
    return (folder, file)
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor @Test func aVideoIsUploadedOnce() async throws {
    let (folder, file) = try temporaryFolderWithVideo()
    defer { try? FileManager.default.removeItem(at: folder) }
    let stub = serverOfVideos()
    let model = VideoUploadModel()
    for _ in 1...2 {
        model.start(file, with: stub, keepingStateIn: folder)
        model.start(file, with: stub, keepingStateIn: folder)
        while model.isUploading { await Task.yield() }
    }
    #expect(model.isDone)
    #expect(model.message == "Your video is online.")
    #expect(model.progress?.fraction == 1)
    #expect(stub.requests.map(\.method) == [.post, .patch])
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor @Test func aCancelledUploadOfAVideoCanContinue() async throws {
    let (folder, file) = try temporaryFolderWithVideo()
    defer { try? FileManager.default.removeItem(at: folder) }
    let stub = serverOfVideos()
    let model = VideoUploadModel()
    model.start(file, with: stub, keepingStateIn: folder)
    model.cancel()
    while model.isUploading { await Task.yield() }
    #expect(!model.isDone)
    #expect(model.message == nil)
    model.start(file, with: stub, keepingStateIn: folder)
    while model.isUploading { await Task.yield() }
    #expect(model.isDone)
}

@Test func openUploadsAreContinuedUntilTheyAreDone() async throws {
    let (folder, file) = try temporaryFolderWithVideo()
    defer { try? FileManager.default.removeItem(at: folder) }
    let refusing = StubClient(clock: ManualClock(skippingSleep: true))
        .answering(.post, "/files", with: .status(201, headers: [.location: "/files/7"]))
        .answering(.patch, "/files/7", with: .status(403))
    await #expect(throws: APIError<Data>.self) {
        try await refusing.upload(VideoUpload(file: file), keepingStateIn: folder)
    }
    let stub = serverOfVideos().answering(.head, "/files/7", with: offset(0, status: 200))
    await continueUploads(with: stub, in: folder)
    #expect(stub.requests.map(\.method) == [.head, .patch])
    #expect(try PendingUpload.all(in: folder).isEmpty)
}
