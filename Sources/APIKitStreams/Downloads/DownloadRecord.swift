import APIKitCore
import APIKitSupport

/// Identifies a file on a server and its version, by the URL and a validator: an entity tag or a date that changes with
/// the contents.
///
/// It is kept beside a partial download, since only bytes of the same version of the same file may be appended
/// (RFC 9110, section 15.3.7.3), and beside a complete one, to ask later whether the file has changed.
struct DownloadRecord {
    /// The final URL, without a fragment.
    let url: String
    /// A strong validator: the entity tag or, if there is none, the date of the last change. It changes whenever a byte
    /// of the file does (RFC 9110, section 8.8.1).
    let validator: String
    /// The size of the complete file in bytes; nil until the server reports it.
    var total: Int?
    /// The version of the complete file on disk, which shows whether the user has changed it; nil for a partial
    /// download, and on platforms where the file's date shows that. See ``FileVersion/generation(of:)``.
    var version: String?

    /// Creates the record of the file that a response delivers; nil if its head has no strong validator.
    init?(of head: HTTPResponse.Head) {
        guard let validator = head.strongValidator else { return nil }
        url = Self.address(of: head.url)
        self.validator = validator
        total = head.totalLength
    }

    /// Whether a URL is this file's URL, apart from a fragment.
    func isFile(at url: URL) -> Bool {
        self.url == Self.address(of: url)
    }

    /// The name of the header that requests this file only if it has changed. Its value is the validator.
    var condition: HTTPHeaders.Name { validator.isStrongEntityTag ? .ifNoneMatch : .ifModifiedSince }

    /// The result of comparing a response with this file.
    enum Comparison {
        /// The response is about this file in this version.
        case same
        /// The response is about another file or another version.
        case different
        /// The URL is the same, and the response has no validator.
        case unknown
    }

    /// Compares the URL and the validator of a response with this file's.
    func comparison(with head: HTTPResponse.Head) -> Comparison {
        guard isFile(at: head.url) else { return .different }
        guard let validator = head.validator else { return .unknown }
        // Validators are compared as bytes. As Strings, they are equal if they write the same characters in other
        // bytes.
        return self.validator.utf8.elementsEqual(validator.utf8) ? .same : .different
    }

    /// Whether a range in a response belongs to this file.
    ///
    /// - Parameters:
    ///   - range: The range.
    ///   - total: The size of the complete file in the response; nil if it does not say.
    ///   - head: The head of the response.
    /// - Returns: Whether the URL and the validator are this file's, and so is the total if both are known. The range
    ///   must not go beyond the total.
    func contains(_ range: Range<Int>, total: Int?, in head: HTTPResponse.Head) -> Bool {
        let hasSameTotal = total != nil && total == self.total
        switch comparison(with: head) {
        case .same:
            break
        case .different:
            return false
        case .unknown:
            // A response must repeat an entity tag, but may leave out a date (RFC 9110, section 15.3.7). Then the total
            // has to show that it is the same file.
            guard !validator.isStrongEntityTag, hasSameTotal else { return false }
        }
        guard let ownTotal = self.total else { return true }
        let contradictsTotal = total != nil && !hasSameTotal
        return !contradictsTotal && range.upperBound <= ownTotal
    }

    /// Returns the text of a URL without its fragment.
    private static func address(of url: URL) -> String {
        String(decoding: url.absoluteString.utf8.prefix { $0 != UInt8(ascii: "#") }, as: UTF8.self)
    }

    // MARK: - On disk

    /// The number of bytes that are read of a record. A URL and a validator are far shorter.
    private static let sizeLimit = 1 << 16
    /// The line that stands for a total that is not known, as in `Content-Range`.
    private static let unknownTotal = "*"

    /// Reads the record that ``write(to:)`` has written to a file; nil if it is invalid or incomplete.
    init?(at recordFile: URL) {
        guard let data = try? OpenFile.readingPlainFile(recordFile).read(upTo: Self.sizeLimit) else { return nil }
        var splitter = LineSplitter(limit: Self.sizeLimit, carriageReturnEndsLine: false)
        splitter.append(data)
        var lines: [String] = []
        while let line = try? splitter.next() { lines.append(String(decoding: line, as: UTF8.self)) }
        // An interrupted write lacks the end of the last line.
        let isComplete = splitter.takeRest() == nil
        guard isComplete, lines.count == 3 || lines.count == 4 else { return nil }

        url = lines[0]
        validator = lines[1]
        // The validator is sent as the value of a header, so one that a header cannot hold is refused.
        guard !validator.isEmpty, validator.isFieldValue else { return nil }
        if lines[2] != Self.unknownTotal {
            guard let number = lines[2].wholeNumber else { return nil }
            total = number
        }
        if lines.count == 4 { version = lines[3] }
    }

    /// Writes the record to a file, replacing an existing one.
    ///
    /// Its lines are the URL, the validator, the total or `*` and, if it is known, the version.
    func write(to recordFile: URL) throws(TransportError) {
        recordFile.removeFile()
        let file = try OpenFile.creating(recordFile)
        var lines = [url, validator]
        if let total { lines.append("\(total)") } else { lines.append(Self.unknownTotal) }
        if let version { lines.append(version) }
        try file.write(lines.map { "\($0)\n" }.joined().utf8Data)
        try file.flush()
    }
}

extension HTTPResponse.Head {
    /// The size of the complete body in bytes; nil if it is not known. An encoded body has another length than the
    /// file.
    var totalLength: Int? {
        guard headers[.contentEncoding] == nil, headers[.transferEncoding] == nil else { return nil }
        return headers[.contentLength].flatMap(\.wholeNumber)
    }

    /// The entity tag or, without one, the date of the last change, strong or weak.
    fileprivate var validator: String? { headers[.eTag] ?? headers[.lastModified] }

    /// The entity tag or, if there is none, the date of the last change; nil if that one is not strong.
    ///
    /// The date is strong only if it is at least a minute older than the response: otherwise, the file could have
    /// changed twice within its second (RFC 9110, section 8.8.2.2).
    fileprivate var strongValidator: String? {
        // The validator of an encoded response is that of the encoded bytes, not of the file.
        guard headers[.contentEncoding] == nil else { return nil }
        if let tag = headers[.eTag] {
            guard tag.isStrongEntityTag else { return nil }
            return tag
        }
        guard let lastModified = headers[.lastModified], let modified = Date(httpDate: lastModified) else { return nil }
        guard let date = headers[.date], let sent = Date(httpDate: date) else { return nil }
        let isStrong = sent.timeIntervalSince(modified) >= 60
        return isStrong ? lastModified : nil
    }
}

extension String {
    /// Whether this is a strong entity tag: text in quotation marks. A weak one begins with `W/` (RFC 9110, section
    /// 8.8.3).
    fileprivate var isStrongEntityTag: Bool {
        let quote = UInt8(ascii: "\"")
        let bytes = Array(utf8)
        guard bytes.count >= 2, bytes.first == quote, bytes.last == quote else { return false }
        return bytes.dropFirst().dropLast().allSatisfy { $0 > 0x20 && $0 != quote && $0 != 0x7F }
    }
}

// Detects that the user has changed a complete file. An app must declare to Apple why it reads the dates of files, even
// if only a library does so. So on Apple's platforms, the record contains a version number from the volume instead.
extension DownloadRecord {
    /// Whether a file has not changed since this record was written to `recordFile`. On Apple's platforms, it then has
    /// the recorded version; on others, it is not newer than the record. If that cannot be found out, it counts as
    /// changed, so that it is downloaded again.
    func isCurrent(for file: URL, recordedAt recordFile: URL) -> Bool {
        #if canImport(Darwin)
        return version != nil && version == FileVersion.generation(of: file)
        #else
        func modificationDate(of file: URL) -> Date? {
            let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
            return attributes?[.modificationDate] as? Date
        }
        guard let modified = modificationDate(of: file), let recorded = modificationDate(of: recordFile) else {
            return false
        }
        return modified <= recorded
        #endif
    }
}
