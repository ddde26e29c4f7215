public import APIKitCore
import APIKitSupport

/// An upload that was created and has not ended, according to its state on disk.
///
/// ```swift
/// for upload in try PendingUpload.all(in: folder) {
///     _ = try await client.upload(VideoUpload(file: upload.file), keepingStateIn: folder)
/// }
/// ```
public struct PendingUpload: Sendable, Hashable {
    /// The name of the endpoint's type, such as `VideoUpload`, for a folder with uploads of several.
    public let endpoint: String
    /// The location of the file.
    public let file: URL
    /// The size of the file in bytes, as it was when the upload began.
    public let totalBytes: Int
    /// The number of bytes that the server had when the last chunk was begun; it may have more.
    public let bytesReceived: Int
    /// When the upload was created.
    public let created: Date

    /// Returns the uploads whose state is in a folder, the oldest first; none if there is no such folder. Other files
    /// in the folder are ignored.
    ///
    /// - Throws: ``TransportError`` with the code `fileFailed` if the folder cannot be read.
    public static func all(in folder: URL) throws(TransportError) -> [PendingUpload] {
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        } catch {
            throw TransportError(.fileFailed, "cannot read the folder \(folder.path)", underlying: error)
        }
        let journals = names.filter { $0.hasSuffix(".\(UploadJournal.pathExtension)") }.sorted()
        let uploads = journals.compactMap { name -> PendingUpload? in
            let contents = UploadJournal.Contents(at: folder.appendingPathComponent(name))
            return contents.map(PendingUpload.init)
        }
        return uploads.sorted { $0.created < $1.created }
    }

    private init(_ contents: UploadJournal.Contents) {
        endpoint = contents.record.endpoint
        file = contents.record.file
        totalBytes = contents.record.version.size
        bytesReceived = contents.lastRange?.lowerBound ?? 0
        created = contents.record.created
    }
}
