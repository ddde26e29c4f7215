import APIKitCore

/// Identifies the file that a partial download belongs to, since only bytes of the same version of the same file may be
/// appended (RFC 9110, section 15.3.7.3).
struct DownloadRecord {
    /// The final URL, without a fragment.
    let url: String
    /// A strong validator (RFC 9110, section 8.8.1).
    let validator: String
    /// The size of the complete file in bytes; nil until the server reports it.
    var total: Int?
    /// The version of the complete file on disk; nil on platforms where the date of the file shows whether it has
    /// changed.
    var version: String?

    /// Creates the record of the file that a response delivers; nil if its head has no strong validator.
    init?(of head: HTTPResponse.Head) {
        guard let validator = head.strongValidator else { return nil }
        url = Self.address(of: head.url)
        self.validator = validator
        total = head.totalLength
    }

    /// Whether a URL is that of this file, apart from a fragment.
    func isFile(at url: URL) -> Bool {
        self.url == Self.address(of: url)
    }

    /// The name of the header that requests this file only if it has changed.
    var condition: HTTPHeaders.Name { validator.isStrongEntityTag ? .ifNoneMatch : .ifModifiedSince }

    /// The result of comparing a response with this file.
    enum Comparison {
        case same
        case different
        /// The URL is the same, and the response has no validator.
        case unknown
    }

    /// Compares the URL and the validator of a response with those of this file.
    func comparison(with head: HTTPResponse.Head) -> Comparison {
        guard isFile(at: head.url) else { return .different }
        guard let validator = head.validator else { return .unknown }
        // Validators are compared as bytes. As Strings, they are equal if they write the same characters in other
        // bytes.
        return self.validator.utf8.elementsEqual(validator.utf8) ? .same : .different
    }

    /// Whether a response holds a range of this file, of the given total.
    ///
    /// It must repeat an entity tag, but may leave out a date (RFC 9110, section 15.3.7); then, the total must be that
    /// of this file.
    func hasRange(_ head: HTTPResponse.Head, total: Int?) -> Bool {
        switch comparison(with: head) {
        case .same: return true
        case .different: return false
        case .unknown:
            guard !validator.isStrongEntityTag, let total else { return false }
            return total == self.total
        }
    }

    /// The text of a URL without its fragment.
    private static func address(of url: URL) -> String {
        String(decoding: url.absoluteString.utf8.prefix { $0 != UInt8(ascii: "#") }, as: UTF8.self)
    }

    // MARK: - On disk

    /// The number of bytes that are read of a record. A URL and a validator are far shorter.
    private static let sizeLimit = 1 << 16
    /// The line that stands for a total that is not known, as in `Content-Range`.
    private static let unknownTotal = "*"

    /// Reads a record; nil if it is invalid or incomplete. An interrupted write lacks the last line feed.
    init?(at place: URL) {
        guard let data = try? OpenFile.readingPlainFile(place).read(upTo: Self.sizeLimit) else { return nil }
        let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(\.utf8Text)
        guard lines.last == "" else { return nil }
        let fields = lines.dropLast()
        guard fields.count == 3 || fields.count == 4 else { return nil }
        url = fields[0]
        validator = fields[1]
        guard !validator.isEmpty, validator.isFieldValue else { return nil }
        total = fields[2].wholeNumber
        guard total != nil || fields[2] == Self.unknownTotal else { return nil }
        if fields.count == 4 { version = fields[3] }
    }

    /// Writes the record, replacing an existing file.
    func write(to place: URL) throws(TransportError) {
        place.removeFile()
        let file = try OpenFile.creating(place)
        var lines = [url, validator]
        if let total { lines.append("\(total)") } else { lines.append(Self.unknownTotal) }
        if let version { lines.append(version) }
        try file.write(Data(lines.map { "\($0)\n" }.joined().utf8))
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

    /// A strong entity tag; if there is no entity tag, the date of the last change.
    ///
    /// The date is strong only if it is at least a minute older than the response: otherwise, the file could have
    /// changed twice within its second (RFC 9110, section 8.8.2.2).
    fileprivate var strongValidator: String? {
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
    /// Whether this is a strong entity tag (RFC 9110, section 8.8.3).
    fileprivate var isStrongEntityTag: Bool {
        let quote = UInt8(ascii: "\"")
        guard utf8.count >= 2, utf8.first == quote, utf8.last == quote else { return false }
        return utf8.dropFirst().dropLast().allSatisfy { $0 > 0x20 && $0 != quote && $0 != 0x7F }
    }
}

// Detects that the user has changed a complete file. An app must declare to Apple why it reads the dates of files, even
// if only a library does so. So on Apple's platforms, the record contains a version number from the volume instead.
extension DownloadRecord {
    /// Returns the version of a file's contents; nil if the volume does not count versions, and on other platforms.
    static func version(of file: URL) -> String? {
        #if canImport(Darwin)
        // The URL is a new one, since a URL caches the values that were read with it. The number of the file is
        // included, since each file has its own count of versions.
        let values = try? URL(fileURLWithPath: file.path).resourceValues(forKeys: [.generationIdentifierKey])
        guard let identifier = values?.generationIdentifier,
            let attributes = try? FileManager.default.attributesOfItem(atPath: file.path),
            let number = attributes[.systemFileNumber] as? NSNumber,
            let data = try? NSKeyedArchiver.archivedData(withRootObject: identifier, requiringSecureCoding: true)
        else { return nil }
        return "\(number) \(data.base64EncodedString())"
        #else
        return nil
        #endif
    }

    /// Whether a file has not changed since this record was written to a place.
    func isCurrent(for file: URL, recordedAt place: URL) -> Bool {
        #if canImport(Darwin)
        return version != nil && version == Self.version(of: file)
        #else
        func modificationDate(of file: URL) -> Date? {
            let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
            return attributes?[.modificationDate] as? Date
        }
        guard let modified = modificationDate(of: file), let recorded = modificationDate(of: place) else {
            return false
        }
        return modified <= recorded
        #endif
    }
}
