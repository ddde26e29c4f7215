/// A body of any size in a file: `typealias Response = DownloadedFile`.
///
/// ```swift
/// let film = try await client.send(FilmRequest())
/// try film.move(to: folder.appending(path: film.suggestedFilename ?? "film.mp4"))
/// ```
///
/// The file is complete. It is temporary: it is deleted with the last copy of this value, unless it was moved. With
/// `try await client.send(FilmRequest()).url`, it is already deleted. An endpoint that knows the destination moves the
/// file itself:
///
/// ```swift
/// func process(_ response: HTTPResponse) async throws -> DownloadedFile {
///     try await DownloadedFile.process(response: response).move(to: destination)
/// }
/// ```
public struct DownloadedFile: APIResponse {
    /// The location of the file.
    public let url: URL
    /// The size of the file in bytes.
    public let size: Int
    /// The name that the server suggests for the file; nil if it suggests none.
    ///
    /// It cannot lead to another folder, and ``HTTPResponse/Head/suggestedFilename`` says what else is removed from it.
    /// Use a folder that has no other files: ``move(to:)`` replaces a file of the same name.
    ///
    /// It is nil for the file of a `ResumableDownload`, which needs its name before the first request.
    public var suggestedFilename: String? { readSuggestedFilename() }
    private let ownedFile: OwnedFile?
    /// Reads the name, which only some callers need. It is a closure, since `print` and `dump` would show a head, whose
    /// URL may be signed.
    private let readSuggestedFilename: @Sendable () -> String?

    /// As a file.
    public static var delivery: ResponseBody.Delivery { .file }

    /// Writes bytes in memory to a file.
    ///
    /// - Throws: ``TransportError`` with the code `fileFailed` if the file cannot be written.
    public static func process(data: Data) throws -> DownloadedFile {
        let file = try TemporaryFile()
        try file.write(data)
        try file.flush()
        return try DownloadedFile(file.ownedFile, head: nil)
    }

    /// Returns the file of the body, or writes the body to a file.
    ///
    /// - Throws: ``TransportError`` with the code `fileFailed` if the file cannot be written.
    public static func process(response: HTTPResponse) async throws -> DownloadedFile {
        if let file = response.body.ownedFile { return try DownloadedFile(file, head: response.head) }
        let file = try TemporaryFile()
        for try await chunk in response.body.bytes { try file.write(chunk) }
        try file.flush()
        return try DownloadedFile(file.ownedFile, head: response.head)
    }

    private init(_ file: OwnedFile, head: HTTPResponse.Head?) throws(TransportError) {
        url = file.url
        size = try OpenFile.size(of: url)
        ownedFile = file
        readSuggestedFilename = { head?.suggestedFilename }
    }

    /// Creates a value for a file that exists and is not deleted, for stubs and tests.
    public init(at url: URL, size: Int, suggestedFilename: String? = nil) {
        self.init(at: url, size: size) { suggestedFilename }
    }

    private init(at url: URL, size: Int, readSuggestedFilename: @escaping @Sendable () -> String?) {
        self.url = url
        self.size = size
        ownedFile = nil
        self.readSuggestedFilename = readSuggestedFilename
    }

    /// Moves the file in one step, replacing an existing file, and returns a value for its new location.
    ///
    /// Up to then, only the process's user can read it; moved, it has the permissions of any new file.
    ///
    /// - Throws: ``TransportError`` with the code `fileFailed`, for example if the folder does not exist; the file
    ///   stays where it was.
    @discardableResult
    public func move(to destination: URL) throws(TransportError) -> DownloadedFile {
        try url.moveFile(to: destination)
        return DownloadedFile(at: destination, size: size, readSuggestedFilename: readSuggestedFilename)
    }
}
