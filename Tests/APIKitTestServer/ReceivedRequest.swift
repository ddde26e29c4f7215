public import Foundation

/// A request as the client sent it, without validation.
public struct ReceivedRequest: Sendable {
    /// The request line and the header lines as sent, decoded as ISO 8859-1, without the final blank line.
    public let head: String
    /// The first word of the request line.
    public let method: String
    /// The second word of the request line, such as `/users?since=46`.
    public let target: String
    /// The header lines in the order and spelling sent; a line without a colon is a name with an empty value.
    public let headers: [(name: String, value: String)]
    /// The body, with the framing of chunks removed; empty if it is in ``bodyFile``.
    public private(set) var body = Data()
    /// The file that holds the body if the server saves bodies; nil if the request announced no body.
    public private(set) var bodyFile: URL?
    /// The length of the body in bytes, in memory or in the file.
    public private(set) var bodyLength = 0

    /// Returns the value of every header line with this name, which is compared without case.
    public func values(of name: String) -> [String] {
        headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    /// The part of the target before the first `?`.
    public var path: String { String(target.prefix { $0 != "?" }) }

    /// The part of the target after the first `?`; nil without one.
    public var query: String? { target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) } }

    /// Parses a head; the body follows.
    init(head bytes: Data) {
        head = String(decoding: bytes.map(UInt16.init), as: UTF16.self)  // ISO 8859-1 is the first block of Unicode.
        let lines = head.components(separatedBy: "\r\n")
        let words = lines[0].components(separatedBy: " ")
        method = words[0]
        target = words.count > 1 ? words[1] : ""
        headers = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
            return (String(parts[0]), value)
        }
    }

    /// Adds the complete body.
    mutating func setBody(_ sink: BodySink) { (body, bodyFile, bodyLength) = (sink.data, sink.file, sink.length) }

    /// Whether a comma-separated header contains this word.
    func header(_ name: String, holds word: String) -> Bool {
        values(of: name).contains { value in
            value.lowercased().components(separatedBy: ",").contains { $0.trimmingCharacters(in: .whitespaces) == word }
        }
    }
}
