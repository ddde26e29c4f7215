public import Foundation

/// A request as a client sent it, taken from the wire without judging it.
public struct ReceivedRequest: Sendable {
    /// The request line and the header lines as sent, decoded as ISO 8859-1, without the final blank line.
    public let head: String
    /// The first word of the request line.
    public let method: String
    /// The second word of the request line, such as `/users?since=46`.
    public let target: String
    /// The header lines in the order and spelling sent; a line without a colon is a name with an empty value.
    public let headers: [(name: String, value: String)]
    /// The body: as many bytes as `Content-Length` says, or the chunks' bytes joined; empty if it is in a file.
    public private(set) var body = Data()
    /// The file that holds the body, if the server saves bodies and the request announced one, even an empty one.
    public private(set) var bodyFile: URL?
    /// How many bytes the body has, wherever they are.
    public private(set) var bodyLength = 0

    /// The values of every header line of that name, in whatever case it was sent.
    public func values(of name: String) -> [String] {
        headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    /// The target up to the first `?`.
    public var path: String {
        String(target.prefix { $0 != "?" })
    }

    /// The target after the first `?`; nil if there is none.
    public var query: String? {
        target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
    }

    /// Takes a head apart; the body is still to come.
    init(head bytes: Data) {
        head = String(decoding: bytes.map(UInt16.init), as: UTF16.self)  // ISO 8859-1 is the start of Unicode.
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

    /// Adds the body, which has arrived whole.
    mutating func setBody(_ sink: BodySink) {
        (body, bodyFile, bodyLength) = (sink.data, sink.file, sink.length)
    }

    /// Whether a comma-separated header holds this word.
    func header(_ name: String, holds word: String) -> Bool {
        values(of: name).contains { value in
            value.lowercased().components(separatedBy: ",").contains { $0.trimmingCharacters(in: .whitespaces) == word }
        }
    }
}
