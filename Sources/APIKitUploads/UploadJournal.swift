import APIKitCore
import APIKitSupport

/// The file that keeps the state of an upload: its record, and after that a line for each range of bytes, written
/// before the range is sent.
///
/// It is locked as long as this object exists. An incomplete last line, which a process has left that was ended, is
/// ignored: what it announces was not sent.
final class UploadJournal: Sendable {
    static let pathExtension = "upload"
    /// The number of bytes that are read: lines for 10 TiB in chunks of 1 MiB.
    fileprivate static let sizeLimit = 256 << 20

    /// What a journal says.
    struct Contents: Equatable {
        let record: UploadRecord
        /// The range that was sent last; nil if there is none.
        var lastRange: Range<Int>?
        /// The end of the bytes that were sent.
        var sentEnd = 0
    }

    /// Nil for an upload whose state is not kept.
    private let file: OpenFile?

    /// Opens and locks a journal; the upload's state is not kept if there is no URL.
    ///
    /// - Throws: ``TransportError`` with the code `fileInUse` if somebody else uploads the file, and `fileFailed` if
    ///   the journal cannot be created.
    init(at url: URL?) throws(TransportError) {
        guard let url else {
            file = nil
            return
        }
        try url.deletingLastPathComponent().createPrivateFolder()
        let file = try OpenFile.locking(url)
        self.file = file
        try Self.removeIncompleteLine(of: file)
    }

    /// Removes an incomplete last line, which the next one would be joined to.
    private static func removeIncompleteLine(of file: OpenFile) throws(TransportError) {
        let data = try file.read(0..<sizeLimit)
        let isWhole = data.count < sizeLimit
        let completeCount = data.lastIndex(of: newline).map { $0 + 1 } ?? 0
        if isWhole, completeCount < data.count { try file.truncate(to: completeCount) }
    }

    /// What the journal says; nil if it has no valid record.
    func contents() throws(TransportError) -> Contents? {
        guard let file else { return nil }
        return Contents(try file.read(0..<Self.sizeLimit))
    }

    /// Starts over with a record, and with the range that was sent when the upload was created, if any.
    func begin(_ record: UploadRecord, sent range: Range<Int>?) throws {
        guard let file else { return }
        try file.truncate()
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var lines = try encoder.encode(record) + "\n".utf8Data
        if let range { lines += Self.line(range) }
        try file.write(lines)
        try file.flush()
    }

    /// Removes the record and the ranges.
    func clear() throws(TransportError) {
        try file?.truncate()
    }

    /// Notes that a range is about to be sent.
    func willSend(_ range: Range<Int>) throws(TransportError) {
        try file?.write(Self.line(range))
    }

    private static func line(_ range: Range<Int>) -> Data { "\(range.lowerBound)-\(range.upperBound)\n".utf8Data }

    /// Removes the file, since the upload has ended.
    func remove() {
        if let file, file.isInPlace { file.url.removeFile() }
    }

    /// Removes the file if it has no record.
    func removeIfEmpty() {
        let contents = try? contents()
        if contents == nil { remove() }
    }
}

extension UploadJournal.Contents {
    /// Reads the lines of a journal; nil if the first one is not a record.
    init?(_ data: Data) {
        var rest = data[...]
        guard let first = rest.removeLine(),
            let record = try? JSONDecoder().decode(UploadRecord.self, from: Data(first))
        else { return nil }
        self.init(record: record)
        // One line after another: all at once would take many times the memory of the file.
        while let line = rest.removeLine() {
            let ends = String(decoding: line, as: UTF8.self).split(separator: "-").map(\.wholeNumber)
            guard ends.count == 2, let lower = ends[0], let upper = ends[1], lower <= upper else { return nil }
            lastRange = lower..<upper
            sentEnd = max(sentEnd, upper)
        }
    }

    /// Reads the journal at a URL without locking it; nil if it is not valid.
    init?(at url: URL) {
        guard let data = try? OpenFile.readingPlainFile(url).read(0..<UploadJournal.sizeLimit) else { return nil }
        self.init(data)
    }
}

private let newline = UInt8(ascii: "\n")

extension Data {
    /// Removes the first line with its newline, and returns it without; nil if no newline is left.
    fileprivate mutating func removeLine() -> Data? {
        guard let end = firstIndex(of: newline) else { return nil }
        let line = self[..<end]
        self = self[(end + 1)...]
        return line
    }
}

extension URL {
    /// Creates this folder for the process's user only, if it is missing.
    fileprivate func createPrivateFolder() throws(TransportError) {
        guard !FileManager.default.fileExists(atPath: path) else { return }
        do {
            try FileManager.default.createDirectory(
                at: self, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw TransportError(.fileFailed, "cannot create the folder \(path)", underlying: error)
        }
    }
}
