#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The body of a response.
public struct ResponseBody: Sendable, Hashable {
    /// The bytes, of a body delivered as data; nil of one that was delivered in another way.
    public let data: Data?

    /// Makes a body that is delivered as data; empty unless told otherwise.
    public init(_ data: Data = Data()) {
        self.data = data
    }

    /// The first bytes as one line of text, with secrets masked; what is not text is counted.
    var excerpt: String {
        guard let data, !data.isEmpty else { return "" }
        return Masking.excerpt(of: data, limit: 200, onOneLine: true)
    }
}

extension ResponseBody: CustomStringConvertible {
    /// The first bytes, with secrets masked.
    public var description: String { excerpt }
}
