import APIKitCore

/// How the body of a response is coded (RFC 9110, section 8.4).
enum ContentCoding: Equatable {
    /// The bytes are the content.
    case identity
    /// gzip (RFC 1952), also named x-gzip.
    case gzip
    /// deflate in the format of zlib (RFC 1950).
    case deflate
    /// A coding, or a list of them, that this engine cannot decode.
    case unsupported(String)

    /// The codings that requests ask for, unless they name their own.
    static let accepted = "gzip, deflate"

    /// The coding of a response with these headers.
    init(of headers: HTTPHeaders) {
        let codings = (headers[.contentEncoding] ?? "").split(separator: ",")
            .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            .filter { !$0.isEmpty && $0 != "identity" }
        switch codings {
        case []: self = .identity
        case ["gzip"], ["x-gzip"]: self = .gzip
        case ["deflate"]: self = .deflate
        default: self = .unsupported(codings.joined(separator: ", "))
        }
    }
}
