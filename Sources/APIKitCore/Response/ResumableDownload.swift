#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A download to a place, which goes on where an earlier attempt broke off (RFC 9110, sections 13.1.5 and 14).
///
/// ```swift
/// struct FilmRequest: ResumableRequest {
///     let download: ResumableDownload
///     var baseURL: URL { URL(string: "https://films.example.com")! }
///     var path: URLPath { "film.mp4" }
/// }
/// let film = try await client.send(FilmRequest(download: ResumableDownload(to: place)))
/// ```
///
/// What has arrived of an unfinished download lies beside the place, in a file with `.part` behind its name, and in
/// another with `.part.tag` what tells whether the server still has the same. The next attempt asks for the rest; a
/// server that has another file by now, or that knows no ranges, sends all of it, and the download starts over. Only a
/// complete file comes to the place. One download to a place at a time. It is read as a stream: where the network is
/// faster than the disk and the engine cannot have the server wait, it breaks off with
/// ``TransportError/Code/bodyTooLarge`` once ``RequestOptions/sizeLimit`` bytes wait, and can go on; ``DownloadedFile``
/// alone has no such limit.
public struct ResumableDownload: Sendable, Hashable {
    /// Where the file comes once it is complete.
    public let place: URL

    /// Makes a download to a place, whose folder exists.
    public init(to place: URL) {
        self.place = place
    }

    private var partial: URL { place.appendingPathExtension("part") }
    private var tagFile: URL { partial.appendingPathExtension("tag") }

    /// How many bytes the next attempt goes on behind; 0 where it starts from the beginning. A request's progress
    /// counts from there.
    public var partSize: Int { begun?.size ?? 0 }

    /// Removes what has arrived of an unfinished download.
    public func discard() {
        partial.removeFile()
        tagFile.removeFile()
    }

    /// The headers of the next attempt: what range it asks for, if there is a part to go on with, and no compression,
    /// since ranges count the bytes on the wire.
    public var headers: HTTPHeaders {
        var headers: HTTPHeaders = [.acceptEncoding: "identity"]
        if let begun {
            headers[.range] = "bytes=\(begun.size)-"
            headers[.ifRange] = begun.tag
        }
        return headers
    }

    /// Whether an answer is one to go on with: a success, or a 416, which may mean that nothing is missing.
    public func accepts(_ head: HTTPResponse.Head) -> Bool {
        [200, 206, 416].contains(head.status)
    }

    /// Takes the answer's body to the place, behind the part that is there or from the start, as the answer says.
    ///
    /// - Throws: ``TransportError`` where the transfer breaks off, which keeps the part for the next attempt, and with
    ///   the code `badResponse` for a range that was not asked for; ``FileError`` where the file cannot be written.
    @concurrent
    public func finish(_ response: HTTPResponse) async throws -> DownloadedFile {
        switch response.head.status {
        case 206: try await append(response)
        case 416: try checkComplete(response.head)
        default: try await startOver(response)
        }
        let size = try OpenFile.reading(partial).size()
        try partial.moveFile(to: place)
        tagFile.removeFile()
        return DownloadedFile(at: place, size: size)
    }

    /// The part that is there and the validator of the file that it is of.
    private var begun: (size: Int, tag: String)? {
        guard let size = try? OpenFile.reading(partial).size(), size > 0,
            let data = try? OpenFile.reading(tagFile).read(upTo: 4096)
        else { return nil }
        let tag = String(decoding: data, as: UTF8.self)
        return tag.isEmpty || !tag.isFieldValue ? nil : (size, tag)
    }

    private func startOver(_ response: HTTPResponse) async throws {
        discard()
        let tag = response.head.strongValidator
        if let tag { try OpenFile.appending(to: tagFile).write(Data(tag.utf8)) }
        do {
            try await write(response.body.bytes)
        } catch {
            // Nothing could tell whether the rest would be of the same file.
            if tag == nil { discard() }
            throw error
        }
    }

    private func append(_ response: HTTPResponse) async throws {
        let head = response.head
        guard let begun, case .range(let range, let total)? = ContentRange(head), range.lowerBound == begun.size,
            head.headers[.contentEncoding] == nil, !head.isOfAnother(than: begun.tag)
        else { throw unusable("a range that was not asked for") }
        try await write(response.body.bytes)
        let size = try OpenFile.reading(partial).size()
        guard size == range.upperBound else { throw unusable("a range of another length than it says") }
        // Where the server does not tell how many there are, its 416 to the next attempt will.
        if total != size {
            let total = total.map { "\($0)" } ?? "an unknown number"
            let message = "the server sent the bytes up to \(size) of \(total): send again for the rest"
            throw TransportError(.connectionLost, message)
        }
    }

    /// A range that begins behind the end is refused; where that end is ours, nothing is missing.
    private func checkComplete(_ head: HTTPResponse.Head) throws {
        guard let begun, case .unsatisfied(begun.size)? = ContentRange(head), !head.isOfAnother(than: begun.tag) else {
            throw unusable("another length of the file")
        }
    }

    private func write(_ bytes: ByteStream) async throws {
        let file = try OpenFile.appending(to: partial)
        for try await chunk in bytes { try file.write(chunk) }
    }

    private func unusable(_ answer: String) -> TransportError {
        discard()
        return TransportError(.badResponse, "the server answers with \(answer): send again to start over")
    }
}

/// What a `Content-Range` says of bytes (RFC 9110, section 14.4).
private enum ContentRange {
    case range(Range<Int>, total: Int?)
    case unsatisfied(Int)

    init?(_ head: HTTPResponse.Head) {
        guard let value = head.headers[.contentRange], value.lowercased().hasPrefix("bytes ") else { return nil }
        let parts = value.dropFirst("bytes ".count).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let (span, size) = (parts[0].trimmingSpaces(), parts[1].trimmingSpaces())
        let total = Self.number(size)
        if span == "*", let total {
            self = .unsatisfied(total)
            return
        }
        let ends = span.split(separator: "-", omittingEmptySubsequences: false).map { Self.number($0.trimmingSpaces()) }
        guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last, last < .max,
            size == "*" || total ?? 0 > last
        else { return nil }
        self = .range(first..<(last + 1), total: total)
    }

    /// Digits alone: `Int` would take a sign too.
    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? Int(text) : nil
    }
}

extension HTTPResponse.Head {
    /// What tells this version of the file from every other (RFC 9110, section 8.8.1): a strong entity tag or, without
    /// one, a date that is older than the answer, and so strong too (section 8.8.2.2).
    fileprivate var strongValidator: String? {
        guard headers[.contentEncoding] == nil else { return nil }
        if let tag = headers[.eTag] { return tag.hasPrefix("\"") ? tag : nil }
        guard let modified = headers[.lastModified], let time = Self.order(of: modified),
            let now = headers[.date].flatMap(Self.order), time < now
        else { return nil }
        return modified
    }

    /// Whether this names an entity tag other than a given one.
    fileprivate func isOfAnother(than tag: String) -> Bool {
        guard let own = headers[.eTag], tag.hasPrefix("\"") else { return false }
        return own != tag
    }

    /// A date in the form that is to be sent, `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7), as a text that
    /// is greater the later it is.
    private static func order(of date: String) -> String? {
        let parts = date.split(separator: " ")
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard date.utf8.count == 29, parts.count == 6, parts[5] == "GMT",
            let month = months.firstIndex(where: { $0 == parts[2] })
        else { return nil }
        return "\(parts[3]) \(month + 10) \(parts[1]) \(parts[4])"
    }
}
