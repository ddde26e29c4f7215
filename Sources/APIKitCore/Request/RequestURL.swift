#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Makes the URL of a request: bytes encoded once into one buffer, one `URL` made from it.
enum RequestURL {
    static func make(
        base: URL, path: URLPath, query: Parameters, style: ParameterStyle
    ) throws(RequestError) -> URL {
        try path.validate()
        var text = base.absoluteString
        let parts = try BaseParts(&text)
        var encoder = QueryEncoder(style: style, encoding: .query)
        encoder.bytes.reserveCapacity(text.utf8.count + path.encoded.utf8.count + 1 + query.count * 24)
        append(parts, path: path, to: &encoder.bytes)
        if !parts.query.isEmpty || !query.isEmpty { try append(parts.query, query, to: &encoder) }
        let result = String(decoding: encoder.bytes, as: UTF8.self)
        guard let url = URL(strict: result) else {
            throw RequestError(.baseURL, "\(Masking.text(result).debugDescription) is not a valid URL")
        }
        return url
    }

    /// The base's path and the endpoint's, with exactly one slash between.
    private static func append(_ parts: BaseParts, path: URLPath, to bytes: inout [UInt8]) {
        bytes += parts.scheme
        bytes += parts.rest
        let path = path.encoded.utf8.drop { $0 == UInt8(ascii: "/") }
        guard !path.isEmpty else { return }
        while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        bytes.append(UInt8(ascii: "/"))
        bytes += path
    }

    /// The base's query first, then the endpoint's.
    private static func append(
        _ base: ArraySlice<UInt8>, _ query: Parameters, to encoder: inout QueryEncoder
    ) throws(RequestError) {
        let end = encoder.bytes.count
        encoder.bytes.append(UInt8(ascii: "?"))
        encoder.bytes += base
        if !base.isEmpty { encoder.bytes.append(UInt8(ascii: "&")) }
        let start = encoder.bytes.count
        try encoder.append(query)
        // An empty list writes nothing: no lone `?` or `&` then.
        if encoder.bytes.count == start { encoder.bytes.removeSubrange((base.isEmpty ? end : start - 1)...) }
    }
}

/// A base URL, taken apart and checked.
private struct BaseParts {
    let scheme: [UInt8]
    /// `://`, authority and path.
    let rest: ArraySlice<UInt8>
    let query: ArraySlice<UInt8>

    init(_ text: inout String) throws(RequestError) {
        let bytes = Array(text.utf8)
        let colon = bytes.firstIndex(of: UInt8(ascii: ":")) ?? 0
        scheme = bytes[..<colon].map(\.lowercasedASCII)
        guard scheme.elementsEqual("http".utf8) || scheme.elementsEqual("https".utf8),
            bytes[colon...].starts(with: "://".utf8)
        else { throw Self.fault(text, "is not absolute: it begins with neither http:// nor https://") }
        let authority = bytes[(colon + 3)...].prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        guard !bytes.contains(UInt8(ascii: "#")) else { throw Self.fault(text, "has a fragment, which is never sent") }
        guard !authority.contains(UInt8(ascii: "@")) else {
            throw Self.fault(text, "holds user information: send credentials in the Authorization header")
        }
        guard let first = authority.first, first != UInt8(ascii: ":") else { throw Self.fault(text, "names no host") }
        let mark = bytes[authority.endIndex...].firstIndex(of: UInt8(ascii: "?"))
        rest = bytes[colon..<(mark ?? bytes.count)]
        query = mark.map { bytes[($0 + 1)...] } ?? []
    }

    private static func fault(_ text: String, _ message: String) -> RequestError {
        let text = text.lastIndex(of: "@").map { "…\(text[$0...])" } ?? text
        return RequestError(.baseURL, "the base URL \(Masking.text(text).debugDescription) \(message)")
    }
}

extension URL {
    /// A URL of text that is encoded already; nil where it is not, instead of encoding it a second time.
    init?(strict text: String) {
        if #available(macOS 14, iOS 17, tvOS 17, watchOS 10, macCatalyst 17, *) {
            self.init(string: text, encodingInvalidCharacters: false)
        } else {
            self.init(string: text)  // strict by itself there
        }
    }
}
