/// The value of a `Content-Range` in bytes (RFC 9110, section 14.4).
package enum ContentRange {
    /// A part of the representation, whose total length may be unknown.
    case range(Range<Int>, total: Int?)
    /// Of a 416: the total length of the representation.
    case unsatisfied(Int)

    package init?(_ head: HTTPResponse.Head) {
        guard let value = head.headers[.contentRange], value.lowercased().hasPrefix("bytes ") else { return nil }
        let parts = value.dropFirst("bytes ".count).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let (span, size) = (parts[0].trimmingSpaces(), parts[1].trimmingSpaces())
        let total = size.wholeNumber
        if span == "*", let total {
            self = .unsatisfied(total)
            return
        }
        let ends = span.split(separator: "-", omittingEmptySubsequences: false).map { $0.trimmingSpaces().wholeNumber }
        guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last, last < .max,
            size == "*" || total ?? 0 > last
        else { return nil }
        self = .range(first..<(last + 1), total: total)
    }
}
