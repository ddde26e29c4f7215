import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@Suite struct StringAPIResponseTests {
    private static func read(_ bytes: [UInt8], type: String?) async throws -> String {
        let response = HTTPResponse.status(200, headers: [.contentType: type], body: Data(bytes))
        return try await String.process(response: response)
    }

    private static let utf8 = Array("Zoë 😀".utf8)
    private static let utf8Mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let little = "Zoë 😀".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    private static let big = "Zoë 😀".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    private static let little32 = "Zoë 😀".unicodeScalars.flatMap { bytes(of: $0.value.littleEndian) }
    private static let big32 = "Zoë 😀".unicodeScalars.flatMap { bytes(of: $0.value.bigEndian) }
    private static func bytes(of value: UInt32) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }

    struct Text: Sendable, CustomTestStringConvertible {
        let type: String?
        let bytes: [UInt8]
        let text: String

        init(type: String?, _ bytes: [UInt8], _ text: String = "Zoë 😀") {
            (self.type, self.bytes, self.text) = (type, bytes, text)
        }

        init(_ charset: String, _ bytes: [UInt8], _ text: String = "Zoë 😀") {
            self.init(type: "text/plain; charset=\(charset)", bytes, text)
        }

        var testDescription: String { "\(type ?? "no type"), \(bytes.prefix(4)), \(bytes.count) bytes" }
    }

    private static let texts: [Text] = [
        Text(type: nil, utf8), Text(type: "text/plain", utf8), Text(type: "text/plain;charset=utf-8", utf8),
        Text("UTF-8", utf8), Text(type: "Text/Plain ; CharSet=\"Utf-8\"; format=flowed", utf8), Text("utf8", utf8),
        Text("", utf8), Text("; format=flowed", utf8), Text("\"\"", utf8), Text("\" \"", utf8),
        Text("utf-8", utf8Mark + utf8), Text(type: nil, utf8Mark + utf8), Text("utf-16le", little),
        Text("UTF-16BE", big), Text("utf-16", [0xFF, 0xFE] + little), Text("utf-16", [0xFE, 0xFF] + big),
        Text("utf-16", big),  // RFC 2781, section 4.3
        Text("utf-16le", [0xFF, 0xFE] + little), Text("utf-16be", [0xFE, 0xFF] + big), Text("utf-32le", little32),
        Text("utf-32be", big32), Text("utf-32", [0xFF, 0xFE, 0, 0] + little32),
        Text("utf-32", [0, 0, 0xFE, 0xFF] + big32), Text("utf-32le", [0xFF, 0xFE, 0, 0] + little32),
        Text("utf-32be", [0, 0, 0xFE, 0xFF] + big32), Text("us-ascii", Array("plain\u{7F}\0".utf8), "plain\u{7F}\0"),
        Text("ascii", Array("plain".utf8), "plain"), Text("iso-8859-1", [0x5A, 0x6F, 0xEB, 0x80, 0xFF], "Zoë\u{80}ÿ"),
        Text("latin1", [0xEF, 0xBB, 0xBF], "ï»¿"), Text("ISO8859-1", Array(0...255), latin1),
        Text(type: nil, Array("a\u{FEFF}\r\n\0b".utf8), "a\u{FEFF}\r\n\0b"), Text(type: nil, [], ""),
        Text("utf-16", [], ""), Text("utf-16le", [], ""), Text("utf-32", [], ""), Text("us-ascii", [], ""),
        Text("iso-8859-1", [], ""),
        // A second mark is text (U+FEFF, zero width no-break space).
        Text(type: nil, utf8Mark + utf8Mark + [0x61], "\u{FEFF}a"),
        Text("utf-16", [0xFE, 0xFF, 0xFE, 0xFF, 0, 0x61], "\u{FEFF}a"),
        Text("utf-16le", [0xFF, 0xFE, 0xFF, 0xFE, 0x61, 0], "\u{FEFF}a"),
    ]
    /// The names of IANA's registry and of WHATWG's Encoding Standard, each with a text in that charset.
    private static let aliases: [Text] =
        ["utf-8", "csUTF8", "unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "x-unicode20utf8"].map {
            Text($0, utf8)
        }
        + [
            "US-ASCII", "iso-ir-6", "ANSI_X3.4-1968", "ANSI_X3.4-1986", "ISO_646.irv:1991", "ISO646-US", "us", "IBM367",
            "cp367", "csASCII",
        ].map { Text($0, Array("plain".utf8), "plain") }
        + [
            "ISO_8859-1:1987", "iso-ir-100", "ISO_8859-1", "ISO-8859-1", "latin1", "l1", "IBM819", "CP819",
            "csISOLatin1",
            "iso88591",
        ].map { Text($0, [0x5A, 0x6F, 0xEB], "Zoë") }
        + [
            Text("csUTF16", big), Text("csUTF16BE", big), Text("unicodeFFFE", big), Text("csUTF16LE", little),
            Text("unicodeFEFF", little), Text("csUTF32", big32), Text("csUTF32BE", big32), Text("csUTF32LE", little32),
            Text("'utf-8'", utf8), Text("'ISO-8859-1'", [0x5A, 0x6F, 0xEB], "Zoë"), Text("''", utf8), Text("' '", utf8),
        ]
    private static let latin1 = String(String.UnicodeScalarView((0...255).map { Unicode.Scalar(UInt8($0)) }))

    @Test(arguments: texts + aliases) func readsCharsetOfContentType(text: Text) async throws {
        let read = try await Self.read(text.bytes, type: text.type)
        #expect(Array(read.unicodeScalars) == Array(text.text.unicodeScalars))
    }

    @Test(arguments: [
        Text(type: nil, [0xC3, 0x28]), Text(type: nil, [0x61, 0xFF]), Text(type: nil, [0xC0, 0xAF]),
        Text(type: nil, [0xED, 0xA0, 0x80]), Text(type: nil, [0xF4, 0x90, 0x80, 0x80]),
        Text(type: nil, [0x61, 0xE2, 0x82]), Text("us-ascii", [0x61, 0x80]), Text("ascii", [0xC3, 0xAB]),
        Text("utf-16le", [0x00, 0xD8]), Text("utf-16be", [0xDC, 0x00, 0x00, 0x61]), Text("utf-32be", [0, 0x11, 0, 0]),
        Text("utf-32le", [0, 0xD8, 0, 0]),
        // Incomplete code units.
        Text("utf-16le", [0x61]), Text("utf-16be", [0, 0x61, 0]), Text("utf-16", [0xFE, 0xFF, 0, 0x61, 0]),
        Text("utf-32le", [0x61, 0, 0]), Text("utf-32be", [0, 0, 0, 0x61, 0]),
        Text("utf-32", [0, 0, 0xFE, 0xFF, 0, 0, 0, 0x61, 0, 0, 0]),
    ]) func rejectsInvalidBytes(text: Text) async throws {
        let error = try await #require(throws: ContentError.self) { try await Self.read(text.bytes, type: text.type) }
        let charset = text.type.flatMap { MIMEType(rawValue: $0).parameter("charset") } ?? "utf-8"
        #expect(error.code == .invalidText)
        #expect(error.description == "the bytes are not valid \(charset)")
    }

    @Test(arguments: ["windows-1252", "Shift_JIS", "utf-7", "x", "utf-8 ", "utf\u{2D}9", "ucs-2"])
    func errorNamesUnsupportedCharset(charset: String) async throws {
        let client = ImmediateClient(.text("text", type: "text/plain; charset=\"\(charset)\""))
        let error = try await client.failure(of: Endpoint<String, Data>())
        #expect((error.unreadable?.error as? ContentError)?.code == .unsupportedCharset)
        #expect(error.description.contains("the charset \"\(charset.lowercased())\" is not supported"))
        #expect(error.unreadable?.response.body.data == Data("text".utf8))
    }

    @Test func readsUTF8FromData() throws {
        let slice = Data([0xFF, 0xFE] + Self.utf8 + [0xFF])
        #expect(try String.process(data: slice[2..<(slice.count - 1)]) == "Zoë 😀")
        #expect(try String.process(data: Data(Self.utf8Mark + Self.utf8)) == "Zoë 😀")
        let error = try #require(throws: ContentError.self) { try String.process(data: Data([0xFF])) }
        #expect(error.description == "the bytes are not valid utf-8")
    }

    @Test func readsBodyOfRefusedStatus() async throws {
        let headers: HTTPHeaders = [.contentType: "text/plain; charset=latin1"]
        let client = ImmediateClient(.status(500, headers: headers, body: Data([0xEB])))
        #expect(try await client.failure(of: Endpoint<NoContent, String>()).rejection?.failure == "ë")
    }
}
