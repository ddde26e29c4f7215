import APIKitSupport

/// The value of a `Content-Range` in bytes (RFC 9110, section 14.4).
package enum ContentRange {
    /// A part of the representation, whose total length may be unknown.
    case range(Range<Int>, total: Int?)
    /// The total length of the representation, in a response with the status 416.
    case unsatisfied(Int)

    /// Reads the header: `bytes 2-5/10`, `bytes 2-5/*` or `bytes */10`. The result is nil for anything else, and for a
    /// range that ends after the total length.
    package init?(_ head: HTTPResponse.Head) {
        guard let value = head.headers[.contentRange], value.lowercased().hasPrefix("bytes ") else { return nil }
        let parts = value.dropFirst("bytes ".count).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let span = parts[0].trimmingSpaces()
        let size = parts[1].trimmingSpaces()
        let total = size.wholeNumber
        if span == "*" {
            guard let total else { return nil }
            self = .unsatisfied(total)
            return
        }
        let isValidSize = total != nil || size == "*"
        guard isValidSize, let range = Self.range(span) else { return nil }
        if let total, total < range.upperBound { return nil }
        self = .range(range, total: total)
    }

    /// Returns the range of a text such as `2-5`, whose last byte is included; nil for any other text, and for a last
    /// byte that no range of `Int` could include.
    private static func range(_ span: Substring) -> Range<Int>? {
        let ends = span.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = ends[0].trimmingSpaces().wholeNumber,
            let last = ends[1].trimmingSpaces().wholeNumber, first <= last, last < .max
        else { return nil }
        return first..<(last + 1)
    }
}
