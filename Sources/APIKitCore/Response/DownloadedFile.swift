/// A body of any size in a file: `typealias Response = DownloadedFile`.
///
/// ```swift
/// let film = try await client.send(FilmRequest())
/// try film.move(to: URL(filePath: "film.mp4"))
/// ```
///
/// The file is complete. It is a temporary one, removed when the last copy of this value goes away, unless it was
/// moved: of `try await client.send(FilmRequest()).url` nothing is left. An endpoint that knows the place moves it
/// there itself:
///
/// ```swift
/// func process(_ response: HTTPResponse) async throws -> DownloadedFile {
///     try await DownloadedFile.process(response: response).move(to: place)
/// }
/// ```
public struct DownloadedFile: APIResponse {
    /// Where the file is.
    public let url: URL
    /// How many bytes it holds.
    public let size: Int
    private let removal: FileRemoval?

    /// As a file.
    public static var delivery: ResponseBody.Delivery { .file }

    /// Writes bytes that are there already to a file.
    ///
    /// - Throws: ``FileError`` where it cannot be written.
    public static func process(data: Data) throws -> DownloadedFile {
        let file = try TemporaryFile()
        try file.write(data)
        try file.flush()
        return try DownloadedFile(file.removal)
    }

    /// Gives the file of the body, or writes the body to one.
    ///
    /// - Throws: ``FileError`` where it cannot be written.
    public static func process(response: HTTPResponse) async throws -> DownloadedFile {
        if let removal = response.body.removal { return try DownloadedFile(removal) }
        let file = try TemporaryFile()
        for try await chunk in response.body.bytes { try file.write(chunk) }
        try file.flush()
        return try DownloadedFile(file.removal)
    }

    private init(_ removal: FileRemoval) throws(FileError) {
        url = removal.url
        size = try OpenFile.size(of: url)
        self.removal = removal
    }

    /// Makes one of a file that is at its place already, and stays there: for stubs and tests.
    public init(at url: URL, size: Int) {
        self.url = url
        self.size = size
        removal = nil
    }

    /// Moves the file to a place of its own in one step, replacing what is there, and tells where it is now.
    ///
    /// It keeps its permissions, which let only the process's user read it.
    ///
    /// - Throws: ``FileError``, as where the folder does not exist; the file then is where it was.
    @discardableResult
    public func move(to place: URL) throws(FileError) -> DownloadedFile {
        try url.moveFile(to: place)
        return DownloadedFile(at: place, size: size)
    }
}
