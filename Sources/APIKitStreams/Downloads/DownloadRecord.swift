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
    /// The version of the complete file on disk; nil where dates show whether it has changed.
    var version: String?

    /// The file whose beginning is the body of a response; nil if its head has no strong validator.
    init?(of head: HTTPResponse.Head) {
        guard let validator = head.strongValidator else { return nil }
        url = Self.address(of: head.url)
        self.validator = validator
        total = head.totalLength
    }

    /// Whether a URL is that of this file.
    func isFile(at url: URL) -> Bool {
        self.url == Self.address(of: url)
    }

    /// The header that asks for this file only if it has changed.
    var condition: HTTPHeaders.Name { validator.isStrongEntityTag ? .ifNoneMatch : .ifModifiedSince }

    /// Whether a response is about this file.
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
        // As bytes: as Strings, texts with the same characters in other bytes are equal.
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

    private static func address(of url: URL) -> String {
        String(decoding: url.absoluteString.utf8.prefix { $0 != UInt8(ascii: "#") }, as: UTF8.self)
    }

    // MARK: - On disk

    private static let sizeLimit = 1 << 16
    private static let unknownTotal = "*"

    /// Reads a record; nil unless it is complete. An interrupted write leaves out its last line feed.
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
    /// The size of the complete body in bytes; nil for an encoded body, whose length on the wire is another.
    var totalLength: Int? {
        guard headers[.contentEncoding] == nil, headers[.transferEncoding] == nil else { return nil }
        return headers[.contentLength].flatMap(\.wholeNumber)
    }

    /// The entity tag or, without one, the date of the last change, strong or weak.
    fileprivate var validator: String? { headers[.eTag] ?? headers[.lastModified] }

    /// A strong entity tag or, without any, a date that is at least a minute older than the response, which makes it
    /// strong (RFC 9110, section 8.8.2.2).
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

// Whether the user has changed a complete file. An app must state a reason to Apple for reading the dates of files,
// even if only a library does, so on Apple's platforms the record holds the version that the volume counts.
extension DownloadRecord {
    /// The version of a file's contents; nil if the volume counts none, and where dates take its place.
    static func version(of file: URL) -> String? {
        #if canImport(Darwin)
        // A new URL, since each caches what it has read; and the file's number, since each file counts for itself.
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
