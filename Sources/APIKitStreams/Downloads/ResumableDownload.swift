public import APIKitCore

/// A download that continues where an earlier attempt ended (RFC 9110, sections 13.1.5 and 14).
///
/// ```swift
/// struct FilmRequest: ResumableRequest {
///     let download: ResumableDownload
///     var base: APIBase { "https://films.example.com" }
///     var path: URLPath { "film.mp4" }
/// }
/// let request = FilmRequest(download: ResumableDownload(to: destination))
/// let film = try await client.send(request)
/// ```
///
/// ### The next attempt
///
/// It requests the remaining bytes. The final URL, the validator (RFC 9110, section 8.8.1) and the total length show
/// whether they belong to the same file. If one of them differs, the attempt fails and removes the part, and the one
/// after it starts over: with a server that redirects to a newly signed URL each time, every attempt does. If the
/// server does not support ranges, it sends the complete file, and the download starts over at once.
///
/// A ``ResumableRequest`` for a complete file from the same URL asks whether the file has changed (RFC 9110, section
/// 13.1), and if neither the server nor the user has changed it, nothing is transferred. After a redirect, the URLs
/// differ, and the file is transferred again; on Apple's platforms also if its volume, unlike APFS, does not count
/// versions.
///
/// ### Files
///
/// Only a complete file is moved to the destination. These files can be beside a destination `film.mp4`:
///
/// | File | Contents |
/// | --- | --- |
/// | `film.mp4.part` | the bytes of an incomplete download |
/// | `film.mp4.part.tag` | the URL, the validator and the total length of this part |
/// | `film.mp4.download.tag` | the same of the complete file |
///
/// Only the process's user can read the records, since a URL may be signed. While a download is in progress, a second
/// one to the same destination fails, in this process or another. A link, a pipe or another user's file in place of the
/// part is replaced, and never written to.
///
/// On iOS, iPadOS, tvOS, watchOS and visionOS, download into the container of the app, and not into one that it shares
/// with an extension: the system ends an app that is suspended while it holds the lock of a file in a shared container
/// (`0xdead10cc`), and the part is locked while the body arrives. Move the complete file to the shared container
/// afterwards.
///
/// ### Slow disks
///
/// The body is read as a stream: if the network is faster than the disk and the engine cannot make the server wait, the
/// attempt fails with ``TransportError/Code/bodyTooLarge`` once more than ``RequestOptions/sizeLimit`` bytes wait, and
/// the next one continues. ``DownloadedFile`` alone has no such limit.
public struct ResumableDownload: Sendable, Hashable {
    /// The location of the file once it is complete.
    public let destination: URL

    /// Creates a download to a destination, whose folder must exist.
    public init(to destination: URL) {
        self.destination = destination
    }

    /// The part: the file for the bytes of an incomplete download.
    private var partialFile: URL { destination.appendingPathExtension("part") }
    /// The file for the record of the part.
    private var recordFile: URL { partialFile.appendingPathExtension("tag") }
    /// The file for the record of the complete file at the destination.
    private var completeRecordFile: URL { destination.appendingPathExtension("download.tag") }

    /// The number of bytes after which the next attempt continues; 0 if it starts from the beginning. The progress of a
    /// response with the remaining bytes starts there.
    public var resumeOffset: Int { incompleteFile?.size ?? 0 }

    /// Removes the bytes of an incomplete download and all records, so that the next attempt starts from the beginning,
    /// unless a download is in progress.
    public func discard() {
        guard let part = try? OpenFile.locking(partialFile) else { return }
        removeWithRecords(part)
    }

    /// The headers of the next attempt: the range of the remaining bytes, if there is a part to continue, and no
    /// compression, since ranges count the bytes on the wire.
    public var headers: HTTPHeaders {
        var headers: HTTPHeaders = [.acceptEncoding: "identity"]
        if let incompleteFile {
            headers[.range] = "bytes=\(incompleteFile.size)-"
            // If the file has changed, the server ignores the range and sends the complete file.
            headers[.ifRange] = incompleteFile.record.validator
        }
        return headers
    }

    /// Returns the headers of the next attempt from a URL. If the complete file from there is at the destination, they
    /// request it only if it has changed.
    func headers(for url: URL?) -> HTTPHeaders {
        var headers = headers
        if let url, let record = completeFile?.record, record.isFile(at: url) {
            headers[record.condition] = record.validator
        }
        return headers
    }

    /// Writes the body of a response to the part, after the bytes that are there or from the beginning, and moves the
    /// complete file to the destination.
    ///
    /// - Returns: The file at the destination.
    /// - Throws: ``TransportError`` if the transfer breaks, which keeps the part for the next attempt, and with the
    ///   code `badResponse` for a range that was not requested or belongs to another file, which removes the part;
    ///   `fileFailed` if the file cannot be written; `fileInUse` while another download to the same destination is in
    ///   progress.
    @concurrent
    public func finish(_ response: HTTPResponse) async throws -> DownloadedFile {
        // The part stays locked until the end, so that no other download writes to it.
        let part = try OpenFile.locking(partialFile)
        defer { withExtendedLifetime(part) {} }
        let record: DownloadRecord?
        switch response.head.status {
        case 304:
            // Not modified: the file at the destination is current.
            return try unchangedFile(response.head, part)
        case 206:
            // Partial content: the requested range.
            record = try await append(response, to: part)
        case 416:
            // Range not satisfiable: the part already ends where the file ends.
            record = try confirmComplete(part, response.head)
        default:
            // The complete file.
            record = try await startOver(response, in: part)
        }
        return try install(part, record)
    }

    // MARK: - Responses

    /// Returns the file at the destination after the server has confirmed with a 304 that it is current.
    private func unchangedFile(_ head: HTTPResponse.Head, _ part: OpenFile) throws -> DownloadedFile {
        guard let completeFile else {
            throw TransportError(.badResponse, "the server sent a 304 to a request without a condition")
        }
        // A proxy may have weakened the tag by the prefix `W/` (RFC 9110, section 13.1.2). The comparison ignores that.
        var comparedHead = head
        if let tag = head.headers[.eTag], tag.utf8.starts(with: "W/".utf8) {
            comparedHead.headers[.eTag] = String(decoding: tag.utf8.dropFirst(2), as: UTF8.self)
        }
        if completeFile.record.comparison(with: comparedHead) == .different {
            throw errorAfterRemoving(part, "a 304 that does not match the file")
        }
        // The part was created only to be locked, and no bytes follow.
        if part.isInPlace { partialFile.removeFile() }
        return DownloadedFile(at: destination, size: completeFile.size)
    }

    /// Writes a complete body to the part, the file for the bytes of an incomplete download, from the beginning.
    ///
    /// If the transfer breaks, the part is kept for the next attempt, but only if it has a record.
    ///
    /// - Returns: The record of the file; nil if the response has no strong validator.
    private func startOver(_ response: HTTPResponse, in part: OpenFile) async throws -> DownloadRecord? {
        recordFile.removeFile()
        try part.truncate()
        let record = DownloadRecord(of: response.head)
        let total = response.head.totalLength
        do {
            try record?.write(to: recordFile)
            let size = try await write(response.body.bytes, to: part, upTo: total ?? .max)
            if let total { try checkSize(size, reaches: total) }
        } catch {
            // Without a record, the next attempt could not check that its bytes belong to the same file.
            if record == nil { removeWithRecords(part) }
            throw error
        }
        return record
    }

    /// Appends the requested range to the part, the file for the bytes of an incomplete download.
    ///
    /// A range that does not continue the part, or belongs to another file, removes the part.
    ///
    /// - Returns: The record of the file, now complete.
    private func append(_ response: HTTPResponse, to part: OpenFile) async throws -> DownloadRecord {
        let head = response.head
        let size = try part.size()
        guard var record = record(forSize: size), case .range(let range, let total)? = ContentRange(head) else {
            throw errorAfterRemoving(part, "a range that was not requested")
        }
        // A range of an encoded body is one of the encoded bytes, not of the file.
        let isEncoded = head.headers[.contentEncoding] != nil
        let continuesPart = range.lowerBound == size && !isEncoded
        guard continuesPart else { throw errorAfterRemoving(part, "a range that was not requested") }
        guard record.contains(range, total: total, in: head) else {
            throw errorAfterRemoving(part, "a range of another file")
        }
        if record.total == nil, let total {
            record.total = total
            try record.write(to: recordFile)
        }
        let newSize = try await write(response.body.bytes, to: part, upTo: range.upperBound)
        guard newSize == range.upperBound else { throw errorAfterRemoving(part, "fewer bytes than it announced") }
        try checkSize(newSize, reaches: record.total)
        return record
    }

    /// Returns the record of the part (the URL, validator and total length of the file that its bytes belong to) if the
    /// part is complete. Otherwise, removes the part and throws an error.
    ///
    /// It is called after a 416, the status for a range that begins after the end of the file. The server sends it if
    /// the part ends exactly there.
    private func confirmComplete(_ part: OpenFile, _ head: HTTPResponse.Head) throws -> DownloadRecord {
        let error = "a 416 that does not match the partial file"
        let size = try part.size()
        guard let record = record(forSize: size), case .unsatisfied(let total)? = ContentRange(head) else {
            throw errorAfterRemoving(part, error)
        }
        let comparison = record.comparison(with: head)
        let isSameFile: Bool
        if record.total == nil {
            // The total was not known, so only the validator shows that the file is the same.
            isSameFile = comparison == .same
        } else {
            isSameFile = record.total == total && comparison != .different
        }
        guard isSameFile, size == total else { throw errorAfterRemoving(part, error) }
        return record
    }

    /// Moves the complete part to the destination, and writes its record beside it. The file is complete in any case,
    /// so a record that cannot be written is no failure: it only saves a later transfer.
    private func install(_ part: OpenFile, _ record: DownloadRecord?) throws -> DownloadedFile {
        let size = try part.size()
        var record = record
        record?.total = size
        // The record of the file that is replaced must not remain beside the new one.
        removeCompleteRecord()
        do throws(TransportError) {
            try part.move(to: destination)
        } catch {
            // The record now has the total, so that the next attempt need not transfer anything. If it cannot be
            // written, the next attempt starts over.
            if part.isInPlace { try? record?.write(to: recordFile) }
            throw error
        }
        recordFile.removeFile()
        record?.version = FileVersion.generation(of: destination)
        // If the record cannot be written, or a file of this name exists, a later request transfers the file again.
        if !FileManager.default.fileExists(atPath: completeRecordFile.path) {
            try? record?.write(to: completeRecordFile)
        }
        return DownloadedFile(at: destination, size: size)
    }

    // MARK: - Files

    /// A file on disk together with its record.
    private struct RecordedFile {
        let size: Int
        let record: DownloadRecord
    }

    /// The file at the destination with its record; nil if it has no record, if it was changed after its download, or
    /// if a newer one is being downloaded.
    private var completeFile: RecordedFile? {
        guard incompleteFile == nil, let record = DownloadRecord(at: completeRecordFile) else { return nil }
        guard let size = try? OpenFile.readingPlainFile(destination).size(), size == record.total else { return nil }
        guard record.isCurrent(for: destination, recordedAt: completeRecordFile) else { return nil }
        return RecordedFile(size: size, record: record)
    }

    /// The part with its record; nil if there is no part, or no record that fits it.
    private var incompleteFile: RecordedFile? {
        guard let size = try? OpenFile.readingPlainFile(partialFile).size(), let record = record(forSize: size) else {
            return nil
        }
        return RecordedFile(size: size, record: record)
    }

    /// Returns the record of a part of the given size; nil if there is no record, or if the part is empty or larger
    /// than the recorded total.
    private func record(forSize size: Int) -> DownloadRecord? {
        guard size > 0, let record = DownloadRecord(at: recordFile) else { return nil }
        if let total = record.total, size > total { return nil }
        return record
    }

    /// Removes the part and all records.
    private func removeWithRecords(_ part: OpenFile) {
        // If this part is no longer at its URL, the file there belongs to another download.
        guard part.isInPlace else { return }
        removeCompleteRecord()
        recordFile.removeFile()
        partialFile.removeFile()
    }

    /// Removes the record of the file at the destination. A file of this name that is not a record stays.
    private func removeCompleteRecord() {
        if DownloadRecord(at: completeRecordFile) != nil { completeRecordFile.removeFile() }
    }

    /// Appends bytes to the part. If the stream of bytes fails, its error is thrown, and the part keeps the bytes so
    /// far.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - part: The part.
    ///   - end: The greatest size of the part. More bytes than that remove the part.
    /// - Returns: The new size of the part.
    /// - Throws: What the stream throws, or a ``TransportError`` if the bytes cannot be written or are too many.
    private func write(_ bytes: ByteStream, to part: OpenFile, upTo end: Int) async throws -> Int {
        var size = try part.size()
        var failure: (any Error)?
        do {
            for try await chunk in bytes {
                let remainingCount = end - size
                guard chunk.count <= remainingCount else {
                    throw errorAfterRemoving(part, "more bytes than it announced")
                }
                try part.write(chunk)
                size += chunk.count
            }
        } catch {
            // The error is thrown only after the bytes so far were flushed, so that the next attempt can continue
            // there. Flushing a part that was removed, since it would be too large, does no harm.
            failure = error
        }
        do throws(TransportError) {
            try part.flush()
        } catch {
            // After a failed flush, any byte of the part may be missing on disk, so none can be continued from.
            removeWithRecords(part)
            throw error
        }
        if let failure { throw failure }
        return size
    }

    // MARK: - Errors

    /// Throws an error if the part is not known to be complete, because bytes are missing or the total is not known.
    ///
    /// If all bytes are there but the total is not known, the next attempt finds that out: its range is empty, and the
    /// server responds with a 416.
    private func checkSize(_ size: Int, reaches total: Int?) throws {
        guard size != total else { return }
        var announced = "an unknown number"
        if let total { announced = "\(total)" }
        let message = "the server sent the bytes up to \(size) of \(announced); send again for the rest"
        throw TransportError(.connectionLost, message)
    }

    /// Removes the part, so that the next attempt starts over, and returns the error for a response that cannot be
    /// used.
    private func errorAfterRemoving(_ part: OpenFile, _ content: String) -> TransportError {
        removeWithRecords(part)
        return TransportError(.badResponse, "the server sent \(content); send again to start over")
    }
}

/// An endpoint whose file is downloaded in as many attempts as necessary: see ``ResumableDownload``.
///
/// This protocol defines the headers and the mapping. To send headers of your own, return them with
/// ``APIRequest/base``, or return the headers of the ``download`` with yours; a complete file that is requested again
/// is then transferred again.
public protocol ResumableRequest: APIRequest {
    // A default rather than a constraint, with which an endpoint's `Failure` would silently be `Data`.
    /// The downloaded file.
    associatedtype Response = ResumableDownload.Response

    /// The destination of the file, and the part that is already there.
    var download: ResumableDownload { get }
}

extension ResumableRequest {
    /// The headers that request the missing part or, of a complete file, only a newer one.
    public var headers: HTTPHeaders { download.headers(for: try? url(base: base).url) }
}

extension ResumableRequest where Response == ResumableDownload.Response {
    /// Writes the body to the destination.
    public func process(_ response: HTTPResponse) async throws -> DownloadedFile {
        try await download.finish(response)
    }
}

extension ResumableDownload {
    /// The response of a ``ResumableRequest``, which becomes a ``DownloadedFile``.
    public enum Response: APIResponse {
        /// The file at its destination.
        public typealias Model = DownloadedFile

        /// A stream, which is appended to the part that is already there.
        public static var delivery: ResponseBody.Delivery { .stream }

        /// Whether a download can continue with the response: a 416 may mean that no bytes are missing, and a 304 that
        /// the complete file is at the destination.
        public static func isSuccess(_ head: HTTPResponse.Head) -> Bool {
            [200, 206, 304, 416].contains(head.status)
        }

        /// Writes bytes in memory to a temporary file.
        public static func process(data: Data) throws -> DownloadedFile {
            try DownloadedFile.process(data: data)
        }
    }
}
