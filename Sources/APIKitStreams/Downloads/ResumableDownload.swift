public import APIKitCore

/// A download that continues where an earlier attempt ended (RFC 9110, sections 13.1.5 and 14).
///
/// ```swift
/// struct FilmRequest: ResumableRequest {
///     let download: ResumableDownload
///     var base: APIBase { "https://films.example.com" }
///     var path: URLPath { "film.mp4" }
/// }
/// let film = try await client.send(FilmRequest(download: ResumableDownload(to: destination)))
/// ```
///
/// The bytes of an incomplete download are in a file beside the destination, with `.part` appended to its name. A
/// second file, with `.part.tag` appended, records the final URL, the validator (RFC 9110, section 8.8.1) and the total
/// length. Only the process's user can read it, since a URL may be signed. The next attempt requests the remaining
/// bytes. If the URL, the validator or the total differs, the attempt fails and removes the part, and the next attempt
/// starts over: with a server that redirects to a newly signed URL each time, every attempt does. If the server does
/// not support ranges, it sends the complete file, and the download starts over at once.
///
/// Only a complete file is moved to the destination. Its record stays beside it, with `.download.tag` appended to its
/// name: a ``ResumableRequest`` for the same URL asks whether the file has changed (RFC 9110, section 13.1), and if
/// neither the server nor the user has changed it, nothing is transferred. After a redirect, the URLs differ, and the
/// file is transferred again; on Apple's platforms also if its volume, unlike APFS, does not count versions. While a
/// download is in progress, a second one to the same destination fails, in this process or another. A link, a pipe or
/// another user's file in place of the part is replaced, and never written to.
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

    private var partialFile: URL { destination.appendingPathExtension("part") }
    private var recordFile: URL { partialFile.appendingPathExtension("tag") }
    private var completeRecordFile: URL { destination.appendingPathExtension("download.tag") }

    /// The number of bytes after which the next attempt continues; 0 if it starts from the beginning. The progress of a
    /// response with the remaining bytes starts there.
    public var resumeOffset: Int { incompleteFile?.size ?? 0 }

    /// Removes the bytes of an incomplete download and all records, so that the next attempt starts from the beginning,
    /// unless a download is in progress.
    public func discard() {
        guard let part = try? OpenFile.locking(partialFile) else { return }
        remove(part)
    }

    /// The headers of the next attempt: the range of the remaining bytes, if there is a part to continue, and no
    /// compression, since ranges count the bytes on the wire.
    public var headers: HTTPHeaders {
        var headers: HTTPHeaders = [.acceptEncoding: "identity"]
        if let incompleteFile {
            headers[.range] = "bytes=\(incompleteFile.size)-"
            headers[.ifRange] = incompleteFile.record.validator
        }
        return headers
    }

    /// The headers of the next attempt from a URL: if the complete file from there is at the destination, the condition
    /// that it has changed.
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
        switch response.head.status {
        case 304:
            return try unchangedFile(response.head, part)
        case 206:
            return try install(part, try await append(response, to: part))
        case 416:
            return try install(part, try checkComplete(response.head, part))
        default:
            return try install(part, try await startOver(response, in: part))
        }
    }

    // MARK: - Responses

    /// Returns the file at the destination after the server has confirmed with a 304 that it is current.
    private func unchangedFile(_ head: HTTPResponse.Head, _ part: OpenFile) throws -> DownloadedFile {
        guard let completeFile else {
            throw TransportError(.badResponse, "the server sent a 304 to a request without a condition")
        }
        var head = head
        // A proxy may have weakened the tag (RFC 9110, section 13.1.2).
        if let tag = head.headers[.eTag], tag.utf8.starts(with: "W/".utf8) {
            head.headers[.eTag] = String(decoding: tag.utf8.dropFirst(2), as: UTF8.self)
        }
        if completeFile.record.comparison(with: head) == .different {
            throw errorAfterRemoving(part, "a 304 that does not match the file")
        }
        // The part was created only to be locked.
        if part.isInPlace { partialFile.removeFile() }
        return DownloadedFile(at: destination, size: completeFile.size)
    }

    /// Writes a complete body to the part, from the beginning.
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
            if let total { try check(size, reaches: total) }
        } catch {
            // Without a record, the next attempt could not check that its bytes belong to the same file.
            if record == nil { remove(part) }
            throw error
        }
        return record
    }

    /// Appends the requested range to the part.
    private func append(_ response: HTTPResponse, to part: OpenFile) async throws -> DownloadRecord {
        let head = response.head
        let size = try part.size()
        guard var record = record(forSize: size), case .range(let range, let total)? = ContentRange(head) else {
            throw errorAfterRemoving(part, "a range that was not requested")
        }
        let continuesPart = range.lowerBound == size && head.headers[.contentEncoding] == nil
        guard continuesPart else { throw errorAfterRemoving(part, "a range that was not requested") }
        let knownTotal = record.total ?? total
        let hasOtherTotal = total != nil && total != knownTotal
        guard record.hasRange(head, total: total), !hasOtherTotal, range.upperBound <= knownTotal ?? .max else {
            throw errorAfterRemoving(part, "a range of another file")
        }
        if record.total != knownTotal {
            record.total = knownTotal
            try record.write(to: recordFile)
        }
        let newSize = try await write(response.body.bytes, to: part, upTo: range.upperBound)
        guard newSize == range.upperBound else { throw errorAfterRemoving(part, "fewer bytes than it announced") }
        try check(newSize, reaches: record.total)
        return record
    }

    /// Checks that the part is complete after a 416, the status for a range that begins after the end of the file. This
    /// happens if the part ends exactly there.
    private func checkComplete(_ head: HTTPResponse.Head, _ part: OpenFile) throws -> DownloadRecord {
        let size = try part.size()
        guard let record = record(forSize: size), case .unsatisfied(size)? = ContentRange(head) else {
            throw errorAfterRemoving(part, "a 416 that does not match the partial file")
        }
        let comparison = record.comparison(with: head)
        let isComplete =
            switch record.total {
            case size: comparison != .different
            // The total was not known, so only the validator shows that the file is the same.
            case nil: comparison == .same
            default: false
            }
        guard isComplete else { throw errorAfterRemoving(part, "a 416 that does not match the partial file") }
        return record
    }

    /// Moves the complete part to the destination, and keeps its record there.
    private func install(_ part: OpenFile, _ record: DownloadRecord?) throws -> DownloadedFile {
        var record = record
        let size = try part.size()
        record?.total = size
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
        record?.version = DownloadRecord.version(of: destination)
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

    /// The file at the destination; nil if a newer one is being downloaded, or if the file was changed after its
    /// download.
    private var completeFile: RecordedFile? {
        guard incompleteFile == nil, let record = DownloadRecord(at: completeRecordFile) else { return nil }
        guard let size = try? OpenFile.readingPlainFile(destination).size(), size == record.total else { return nil }
        guard record.isCurrent(for: destination, recordedAt: completeRecordFile) else { return nil }
        return RecordedFile(size: size, record: record)
    }

    /// The part; nil without a record that fits it.
    private var incompleteFile: RecordedFile? {
        guard let size = try? OpenFile.readingPlainFile(partialFile).size(), let record = record(forSize: size) else {
            return nil
        }
        return RecordedFile(size: size, record: record)
    }

    /// The record of a part of the given size; nil if the part is empty or larger than the recorded total.
    private func record(forSize size: Int) -> DownloadRecord? {
        guard size > 0, let record = DownloadRecord(at: recordFile), size <= record.total ?? .max else { return nil }
        return record
    }

    /// Removes the part and all records.
    private func remove(_ part: OpenFile) {
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

    /// Appends bytes to the part and returns its new size.
    private func write(_ bytes: ByteStream, to part: OpenFile, upTo end: Int) async throws -> Int {
        var size = try part.size()
        var failure: (any Error)?
        do {
            for try await chunk in bytes {
                guard chunk.count <= end - size else { throw errorAfterRemoving(part, "more bytes than it announced") }
                try part.write(chunk)
                size += chunk.count
            }
        } catch {
            // The error is thrown only after the bytes so far were flushed, so that the next attempt can continue
            // there.
            failure = error
        }
        do throws(TransportError) {
            try part.flush()
        } catch {
            // After a failed flush, any byte of the part may be missing on disk.
            remove(part)
            throw error
        }
        if let failure { throw failure }
        return size
    }

    // MARK: - Errors

    /// Throws an error if the part is not known to be complete. If the total is not known either, the server's 416 to
    /// the next attempt reports it.
    private func check(_ size: Int, reaches total: Int?) throws {
        guard size != total else { return }
        var announced = "an unknown number"
        if let total { announced = "\(total)" }
        let message = "the server sent the bytes up to \(size) of \(announced); send again for the rest"
        throw TransportError(.connectionLost, message)
    }

    /// Removes the part, so that the next attempt starts over, and returns the error for a response that cannot be
    /// used.
    private func errorAfterRemoving(_ part: OpenFile, _ content: String) -> TransportError {
        remove(part)
        return TransportError(.badResponse, "the server sent \(content); send again to start over")
    }
}

/// An endpoint whose file is downloaded in as many attempts as necessary: see ``ResumableDownload``.
///
/// This protocol defines the headers and the mapping. To send headers of your own, return them with
/// ``APIRequest/base``, or return those of the ``download`` with yours; then, a complete file that is requested again
/// is transferred again.
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
