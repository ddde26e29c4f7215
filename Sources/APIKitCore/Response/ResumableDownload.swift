/// A download to a place, which goes on where an earlier attempt broke off (RFC 9110, sections 13.1.5 and 14).
///
/// ```swift
/// struct FilmRequest: ResumableRequest {
///     let download: ResumableDownload
///     var baseURL: URL { URL(string: "https://films.example.com")! }
///     var path: URLPath { "film.mp4" }
/// }
/// let film = try await client.send(FilmRequest(download: ResumableDownload(to: destination)))
/// ```
///
/// What has arrived of an unfinished download lies beside the place, in a file with `.part` appended to its name. Another with
/// `.part.tag` records the final URL, the validator (RFC 9110, section 8.8.1) and the total length, and is readable by
/// the process's user only, since a URL may be signed. The next attempt asks for the rest. If any of the three differs,
/// the part is removed, and the next attempt starts over: so each attempt does where a server redirects to a newly
/// signed URL every time. A server that knows no ranges sends all of it, and the download starts over at once.
///
/// Only a complete file comes to the place. A second download to the same place, in this process or another, fails while
/// the first is under way. A link, a pipe or another user's file in place of the part is removed and never written to.
///
/// The body is read as a stream: if the network is faster than the disk and the engine cannot make the server wait,
/// it breaks off with ``TransportError/Code/bodyTooLarge`` once ``RequestOptions/sizeLimit`` bytes wait, and can go on;
/// ``DownloadedFile`` alone has no such limit.
public struct ResumableDownload: Sendable, Hashable {
    /// Where the file comes once it is complete.
    public let destination: URL

    /// Makes a download to a place, whose folder exists.
    public init(to destination: URL) {
        self.destination = destination
    }

    private var partial: URL { destination.appendingPathExtension("part") }
    private var recordFile: URL { partial.appendingPathExtension("tag") }

    /// How many bytes the next attempt goes on behind; 0 where it starts from the beginning. A request's progress
    /// counts from there.
    public var resumeOffset: Int { begun?.size ?? 0 }

    /// Removes what has arrived of an unfinished download, unless one is under way.
    public func discard() {
        guard let part = try? OpenFile.locking(partial) else { return }
        remove(part)
    }

    /// The headers of the next attempt: what range it asks for, if there is a part to go on with, and no compression,
    /// since ranges count the bytes on the wire.
    public var headers: HTTPHeaders {
        var headers: HTTPHeaders = [.acceptEncoding: "identity"]
        if let begun {
            headers[.range] = "bytes=\(begun.size)-"
            headers[.ifRange] = begun.record.validator
        }
        return headers
    }

    /// Whether an answer is one to go on with: a success, or a 416, which may mean that nothing is missing.
    public func isSuccess(_ head: HTTPResponse.Head) -> Bool {
        [200, 206, 416].contains(head.status)
    }

    /// Takes the answer's body to the place, behind the part that is there or from the start, as the answer says.
    ///
    /// - Throws: ``TransportError`` where the transfer breaks off, which keeps the part for the next attempt, and with
    ///   the code `badResponse` for a range that was not requested or belongs to another file, which removes the part;
    ///   ``FileError`` where the file cannot be written, and with the operation `lock` while another download to the
    ///   same place is under way.
    @concurrent
    public func finish(_ response: HTTPResponse) async throws -> DownloadedFile {
        let part = try OpenFile.locking(partial)
        // The lock is held to the end.
        defer { withExtendedLifetime(part) {} }
        var record: DownloadRecord?
        switch response.head.status {
        case 206: record = try await append(response, to: part)
        case 416: record = try checkComplete(response.head, part)
        default: record = try await startOver(response, in: part)
        }
        let size = try part.size()
        do throws(FileError) {
            try part.move(to: destination)
        } catch {
            record?.total = size
            // Without it the next attempt starts over.
            if part.isInPlace { try? record?.write(to: recordFile) }
            throw error
        }
        recordFile.removeFile()
        return DownloadedFile(at: destination, size: size)
    }

    /// The size of the part that is there and what it is of.
    private var begun: (size: Int, record: DownloadRecord)? {
        guard let size = try? OpenFile.readingPlainFile(partial).size(), let record = record(forSize: size) else {
            return nil
        }
        return (size, record)
    }

    private func record(forSize size: Int) -> DownloadRecord? {
        guard size > 0, let record = DownloadRecord(at: recordFile), size <= record.total ?? .max else { return nil }
        return record
    }

    private func remove(_ part: OpenFile) {
        // Something else may have removed it, and another download begun a part of its own.
        guard part.isInPlace else { return }
        recordFile.removeFile()
        partial.removeFile()
    }

    private func startOver(_ response: HTTPResponse, in part: OpenFile) async throws -> DownloadRecord? {
        recordFile.removeFile()
        try part.truncate()
        let (record, total) = (DownloadRecord(of: response.head), response.head.totalLength)
        do {
            try record?.write(to: recordFile)
            try await write(response.body.bytes, to: part, upTo: total ?? .max)
            if let total { try check(try part.size(), reaches: total) }
        } catch {
            // Nothing could tell whether the rest would be of the same file.
            if record == nil { remove(part) }
            throw error
        }
        return record
    }

    private func append(_ response: HTTPResponse, to part: OpenFile) async throws -> DownloadRecord {
        let head = response.head
        let size = try part.size()
        guard var record = record(forSize: size), case .range(let range, let total)? = ContentRange(head),
            range.lowerBound == size, head.headers[.contentEncoding] == nil
        else { throw unusable(part, "a range that was not requested") }
        let knownTotal = record.total ?? total
        guard record.isOfSameFile(as: head, totalOfRange: total), total ?? knownTotal == knownTotal,
            range.upperBound <= knownTotal ?? .max
        else { throw unusable(part, "a range of another file") }
        if record.total != knownTotal {
            record.total = knownTotal
            try record.write(to: recordFile)
        }
        try await write(response.body.bytes, to: part, upTo: range.upperBound)
        let newSize = try part.size()
        guard newSize == range.upperBound else { throw unusable(part, "fewer bytes than it announced") }
        try check(newSize, reaches: knownTotal)
        return record
    }

    /// A range that begins behind the end is refused; where that end is ours, nothing is missing.
    private func checkComplete(_ head: HTTPResponse.Head, _ part: OpenFile) throws -> DownloadRecord {
        let size = try part.size()
        guard let record = record(forSize: size), case .unsatisfied(size)? = ContentRange(head),
            // A total that nobody remembers is worth as much as the validator beside it.
            record.total == size || record.total == nil && record.isOfSameFile(as: head),
            !record.isOfOtherFile(than: head)
        else { throw unusable(part, "a 416 that does not match the partial file") }
        return record
    }

    private func write(_ bytes: ByteStream, to part: OpenFile, upTo end: Int) async throws {
        var size = try part.size()
        var failure: (any Error)?
        do {
            for try await chunk in bytes {
                guard chunk.count <= end - size else { throw unusable(part, "more bytes than it announced") }
                try part.write(chunk)
                size += chunk.count
            }
        } catch {
            failure = error
        }
        do throws(FileError) {
            try part.flush()
        } catch {
            // Nothing can be appended after bytes that were lost.
            remove(part)
            throw error
        }
        if let failure { throw failure }
    }

    /// If the server does not report the total, its 416 to the next attempt will.
    private func check(_ size: Int, reaches total: Int?) throws {
        guard size != total else { return }
        let total = total.map { "\($0)" } ?? "an unknown number"
        let message = "the server sent the bytes up to \(size) of \(total); send again for the rest"
        throw TransportError(.connectionLost, message)
    }

    private func unusable(_ part: OpenFile, _ content: String) -> TransportError {
        remove(part)
        return TransportError(.badResponse, "the server sent \(content); send again to start over")
    }
}
