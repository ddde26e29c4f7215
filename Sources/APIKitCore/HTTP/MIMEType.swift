import APIKitSupport

/// The media type of a body: `.json`, or any other such as `"application/vnd.github+json"` (RFC 9110, section 8.3.1).
public struct MIMEType: RawRepresentable, Hashable, Sendable {
    /// The type as it is sent, with its parameters.
    public let rawValue: String

    /// Creates a type from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// `type/subtype` in lower case, without parameters.
    public var essence: String {
        var essence: [UInt8] = []
        for byte in rawValue.utf8 {
            if byte == UInt8(ascii: ";") { break }
            if !Self.isSpace(byte) { essence.append(byte.lowercasedASCII) }
        }
        return String(decoding: essence, as: UTF8.self)
    }

    /// The value of a parameter such as `charset`, without its quotes; its name ignores case.
    public func parameter(_ name: String) -> String? {
        rawValue.headerParameter(name)
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }
}

extension MIMEType: ExpressibleByStringLiteral, CustomStringConvertible {
    /// Creates a type from its text.
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    /// The type as it is sent.
    public var description: String { rawValue }
}

extension MIMEType {
    /// JSON (RFC 8259).
    public static let json: Self = "application/json"
    /// Newline-delimited JSON.
    public static let jsonLines: Self = "application/x-ndjson"
    /// Server-sent events (WHATWG HTML, section 9.2).
    public static let eventStream: Self = "text/event-stream"
    /// Problem details in JSON (RFC 9457).
    public static let problemJSON: Self = "application/problem+json"
    /// A form's fields (WHATWG URL, section 5).
    public static let formURLEncoded: Self = "application/x-www-form-urlencoded"
    /// A form with files (RFC 7578); a body's own type also has its boundary as a parameter.
    public static let multipartFormData: Self = "multipart/form-data"
    /// Plain text.
    public static let plainText: Self = "text/plain"
    /// A web page.
    public static let html: Self = "text/html"
    /// Comma-separated values (RFC 4180).
    public static let csv: Self = "text/csv"
    /// XML (RFC 7303).
    public static let xml: Self = "application/xml"
    /// A PDF document.
    public static let pdf: Self = "application/pdf"
    /// A ZIP archive.
    public static let zip: Self = "application/zip"
    /// A GIF image.
    public static let gif: Self = "image/gif"
    /// A JPEG image.
    public static let jpeg: Self = "image/jpeg"
    /// A PNG image.
    public static let png: Self = "image/png"
    /// An SVG image.
    public static let svg: Self = "image/svg+xml"
    /// A WebP image.
    public static let webP: Self = "image/webp"
    /// An HEIC image.
    public static let heic: Self = "image/heic"
    /// MPEG-4 video.
    public static let mp4: Self = "video/mp4"
    /// MP3 audio.
    public static let mp3: Self = "audio/mpeg"
    /// Bytes of an unknown type (RFC 2046, section 4.5.1).
    public static let octetStream: Self = "application/octet-stream"

    /// Creates the type that a file name's extension suggests; ``octetStream`` if it is unknown.
    public init(filename: String) {
        let name = Array(filename.lowercased().utf8)
        // A name without a dot has no extension.
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else {
            self = .octetStream
            return
        }
        let fileExtension = String(decoding: name[(dot + 1)...], as: UTF8.self)
        self = Self.byExtension[fileExtension] ?? .octetStream
    }

    private static let byExtension: [String: MIMEType] = [
        "json": .json, "txt": .plainText, "html": .html, "htm": .html, "csv": .csv, "xml": .xml, "pdf": .pdf,
        "zip": .zip, "gif": .gif, "jpg": .jpeg, "jpeg": .jpeg, "png": .png, "svg": .svg, "webp": .webP,
        "heic": .heic, "mp4": .mp4, "mp3": .mp3, "mov": "video/quicktime", "m4a": "audio/mp4", "wav": "audio/wav",
        "gz": "application/gzip", "md": "text/markdown", "css": "text/css", "js": "text/javascript",
        "ics": "text/calendar", "yaml": "application/yaml", "yml": "application/yaml", "tif": "image/tiff",
        "tiff": "image/tiff", "avif": "image/avif", "webm": "video/webm",
    ]
}
