/// What file a part is of: only bytes of the very same file are appended to it (RFC 9110, section 15.3.7.3).
struct DownloadRecord {
    /// The final URL, without a fragment.
    let url: String
    /// A strong validator (RFC 9110, section 8.8.1).
    let validator: String
    /// How many bytes the whole file has, nil until the server says so.
    var total: Int?

    /// The file whose first bytes follow a head; nil if the head has no strong validator.
    init?(of head: HTTPResponse.Head) {
        guard let validator = head.strongValidator else { return nil }
        url = Self.address(of: head)
        self.validator = validator
        total = head.totalLength
    }

    /// Whether a head belongs to the same file: it must name the validator.
    ///
    /// A range need not repeat a date, unlike an entity tag (RFC 9110, section 15.3.7). Without any validator, the
    /// total of the range must be the one that is recorded.
    func isOfSameFile(as head: HTTPResponse.Head, totalOfRange: Int? = nil) -> Bool {
        guard url == Self.address(of: head) else { return false }
        if let other = head.validator { return isValidator(other) }
        return !validator.isStrongEntityTag && totalOfRange != nil && totalOfRange == total
    }

    /// Whether a head belongs to another file, as far as it says: one without a range need not name the validator.
    func isOfOtherFile(than head: HTTPResponse.Head) -> Bool {
        url != Self.address(of: head) || head.validator.map(isValidator) == false
    }

    private func isValidator(_ other: String) -> Bool {
        validator.utf8.elementsEqual(other.utf8)
    }

    private static func address(of head: HTTPResponse.Head) -> String {
        String(decoding: head.url.absoluteString.utf8.prefix { $0 != UInt8(ascii: "#") }, as: UTF8.self)
    }

    // MARK: - On disk

    private static let sizeLimit = 1 << 16

    /// Reads a record; nil unless it is complete. Its last line feed is what an interrupted write leaves out.
    init?(at place: URL) {
        guard let data = try? OpenFile.readingPlainFile(place).read(upTo: Self.sizeLimit) else { return nil }
        let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard lines.count == 4, lines[3].isEmpty, !lines[1].isEmpty, lines[1].isFieldValue else { return nil }
        (url, validator, total) = (lines[0], lines[1], lines[2].wholeNumber)
        guard total != nil || lines[2] == "*" else { return nil }
    }

    /// Writes the record, replacing what is there.
    func write(to place: URL) throws(FileError) {
        place.removeFile()
        let file = try OpenFile.creating(place)
        try file.write(Data("\(url)\n\(validator)\n\(total.map { "\($0)" } ?? "*")\n".utf8))
        try file.flush()
    }
}

extension HTTPResponse.Head {
    /// How many bytes the whole body has; nil of an encoded one, whose length on the wire is another.
    var totalLength: Int? {
        guard headers[.contentEncoding] == nil, headers[.transferEncoding] == nil else { return nil }
        return headers[.contentLength].flatMap(\.wholeNumber)
    }

    /// The entity tag or, without one, the date of the last change, strong or not.
    fileprivate var validator: String? { headers[.eTag] ?? headers[.lastModified] }

    /// A strong entity tag or, without any, a date that is at least a minute older than the response, and so strong too
    /// (RFC 9110, section 8.8.2.2).
    fileprivate var strongValidator: String? {
        guard headers[.contentEncoding] == nil else { return nil }
        if let tag = headers[.eTag] { return tag.isStrongEntityTag ? tag : nil }
        guard let modified = headers[.lastModified], let time = modified.httpDateSeconds,
            let now = headers[.date]?.httpDateSeconds, now - time >= 60
        else { return nil }
        return modified
    }
}

extension String {
    /// Whether this is a strong entity tag (RFC 9110, section 8.8.3).
    fileprivate var isStrongEntityTag: Bool {
        let quote = UInt8(ascii: "\"")
        return utf8.count >= 2 && utf8.first == quote && utf8.last == quote
            && utf8.dropFirst().dropLast().allSatisfy { $0 > 0x20 && $0 != quote && $0 != 0x7F }
    }

    /// A date in the form that is to be sent, `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7), in seconds
    /// since the start of the era; nil in another form.
    fileprivate var httpDateSeconds: Int? {
        let parts = split(separator: " ")
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let daysBefore = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]
        guard utf8.count == 29, parts.count == 6, parts[5] == "GMT", let day = parts[1].wholeNumber,
            let month = months.firstIndex(where: { $0 == parts[2] }), let year = parts[3].wholeNumber
        else { return nil }
        let time = parts[4].split(separator: ":").compactMap(\.wholeNumber)
        guard time.count == 3 else { return nil }
        // February's leap day counts from March on.
        let leapYear = month < 2 ? year - 1 : year
        let days = 365 * year + leapYear / 4 - leapYear / 100 + leapYear / 400 + daysBefore[month] + day
        return ((days * 24 + time[0]) * 60 + time[1]) * 60 + time[2]
    }
}
