import APIKitCore
import APIKitSupport

extension UploadLimits {
    /// Reads the header `Upload-Limit`; nil if it is missing or not valid.
    ///
    /// It is a dictionary whose values are integers (RFC 9651, section 3.2). If a key appears more than once, the last
    /// one counts. Unknown keys are ignored; an invalid value of a known key makes the whole header invalid. The keys
    /// `expires` and `max-age` are not read: after that time, the server does not know the upload, which then starts
    /// over.
    init?(uploadLimit headers: HTTPHeaders) {
        guard let text = headers["Upload-Limit"] else { return nil }
        self.init()
        for member in Array(text.utf8)[...].splitOutsideQuotes(at: UInt8(ascii: ",")) {
            let item = member.prefix { $0 != UInt8(ascii: ";") }
            let key = String(decoding: item.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self).trimmingSpaces()
            let value = String(decoding: item.drop { $0 != UInt8(ascii: "=") }.dropFirst(), as: UTF8.self)
            switch key {
            case "max-size": largestFile = value.structuredInteger
            case "min-size": smallestFile = value.structuredInteger
            case "max-append-size": largestChunk = value.structuredInteger
            case "min-append-size": smallestChunk = value.structuredInteger
            default: continue
            }
            guard value.structuredInteger != nil else { return nil }
        }
    }
}

extension String {
    /// The text as an integer of a structured field that is not negative, of up to 15 digits (RFC 9651, section
    /// 3.3.1); nil for any other text.
    fileprivate var structuredInteger: Int? {
        let text = trimmingSpaces()
        return text.utf8.count <= 15 ? text.wholeNumber : nil
    }
}
