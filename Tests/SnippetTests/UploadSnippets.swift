import APIKit
import APIKitTesting
import APIKitUploads
import Testing

#if canImport(SwiftUI)
import SwiftUI
#endif

// The code of the article UploadingLargeFiles, and of the doc comments of APIKitUploads, unchanged.

nonisolated extension APIBase {
    static let videos = APIBase("https://videos.example.com")
    static let supabase = APIBase("https://my-project.storage.supabase.co/storage/v1")
}

// MARK: - The commonest case

struct VideoUpload: ResumableUpload {
    typealias Response = UploadedFile
    var file: URL
    var base: APIBase { .videos }
    var path: URLPath { "files" }
    var uploadProtocol: UploadProtocol { .tus }
}

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

#if canImport(SwiftUI)
struct VideoUploadView: View {
    let client: any APIClient
    let file: URL
    let folder: URL
    @State private var progress: UploadProgress?
    @State private var message = ""

    var body: some View {
        VStack {
            ProgressView(value: progress?.fractionSent)
            Text(message)
        }
        .task { await upload() }
    }

    private func upload() async {
        do {
            let request = VideoUpload(file: file)
            _ = try await client.upload(request, keepingStateIn: folder) { progress in
                await show(progress)
            }
        } catch {
            message = alertText(for: error) ?? ""
        }
    }

    @MainActor private func show(_ progress: UploadProgress) {
        self.progress = progress
    }
}
#endif

// MARK: - State

func folderOfState(accountID: String, support: URL) -> URL {
    let folder = support.appending(path: "Uploads").appending(path: accountID)
    return folder
}

func continueOpenUploads(_ client: any APIClient, folder: URL) async throws {
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
    } catch .transport {
        return "There is no connection. The upload will continue later."
    } catch .rejected(_, let response) where response.head.status == 413 {
        return "The file is too large."
    } catch {
        return error.localizedDescription
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
