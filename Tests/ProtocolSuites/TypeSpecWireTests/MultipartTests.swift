import APIKit
import Foundation
import SuiteSupport
import Testing

/// Forms with texts, JSON and files.
@Suite struct MultipartTests {
    private let jpeg = Data([0xFF, 0xD8, 0xFF, 0x0D, 0x0A])
    private let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])

    /// An endpoint that takes a form.
    struct Upload: ServiceRequest, MultipartRequest {
        var method: HTTPMethod { .post }
        var path: URLPath
        var parameters: Parameters
    }

    struct Address: JSONBody {
        var city: String
    }

    /// A part as the server reads it.
    struct Part: Equatable {
        var name: String
        var filename: String?
        var type: String?
        var data: Data

        /// A text.
        static func text(_ name: String, _ text: String) -> Part { Part(name: name, data: Data(text.utf8)) }

        /// A file.
        static func file(_ name: String, _ data: Data, _ filename: String, _ type: String = "application/octet-stream")
            -> Part
        {
            Part(name: name, filename: filename, type: type, data: data)
        }

        /// JSON.
        static func json(_ name: String, _ text: String) -> Part {
            Part(name: name, type: "application/json", data: Data(text.utf8))
        }
    }

    /// Checks the parts of the form that an endpoint sends.
    private func check(_ path: URLPath, _ parameters: Parameters, _ parts: [Part]) async throws {
        let request = Upload(path: path, parameters: parameters)
        try await expect(request, sends: "POST", "/\(path)", .any)
        let sent = try request.httpRequest()
        let type = MIMEType(rawValue: try #require(sent.headers[.contentType]))
        #expect(type.essence == "multipart/form-data")
        let boundary = try #require(type.parameter("boundary"))
        let body = try #require(sent.body)
        #expect(try Self.parts(of: try await body.bytes.data(upTo: 1 << 20), boundary: boundary) == parts)
    }

    /// Reads the parts of a form.
    private static func parts(of body: Data, boundary: String) throws -> [Part] {
        var parts: [Part] = []
        var rest = body[...]
        let delimiter = Data("--\(boundary)".utf8)
        while let start = rest.range(of: delimiter), let end = rest[start.upperBound...].range(of: delimiter) {
            // A line break after the boundary, and one before the next.
            let part = rest[start.upperBound + 2..<end.lowerBound - 2]
            let emptyLine = try #require(part.range(of: Data("\r\n\r\n".utf8)))
            let head = String(decoding: part[..<emptyLine.lowerBound], as: UTF8.self)
            parts.append(
                Part(
                    name: try #require(attribute("name=\"", in: head)), filename: attribute("filename=\"", in: head),
                    type: line("Content-Type: ", in: head), data: Data(part[emptyLine.upperBound...])))
            rest = rest[end.lowerBound...]
        }
        return parts
    }

    /// The value of an attribute of the disposition.
    private static func attribute(_ name: String, in head: String) -> String? {
        guard let start = head.range(of: " \(name)") else { return nil }
        return String(head[start.upperBound...].prefix { $0 != "\"" })
    }

    /// The value of a header of a part.
    private static func line(_ name: String, in head: String) -> String? {
        guard let start = head.range(of: name) else { return nil }
        return String(head[start.upperBound...].prefix { !$0.isNewline })
    }

    private var profileImage: FilePart { FilePart(jpeg, filename: "image.jpg", contentType: .octetStream) }
    private var picture: FilePart { FilePart(png, filename: "image.png", contentType: .octetStream) }

    @Test(
        .scenario(
            "Payload_MultiPart_FormData_basic", "Payload_MultiPart_FormData_withWireName",
            "Payload_MultiPart_FormData_anonymousModel"))
    func textAndFile() async throws {
        let file = Part.file("profileImage", jpeg, "image.jpg")
        try await check(
            "multipart/form-data/mixed-parts", ["id": 123, "profileImage": profileImage], [.text("id", "123"), file])
        try await check(
            "multipart/form-data/mixed-parts-with-wire-name", ["id": 123, "profileImage": profileImage],
            [.text("id", "123"), file])
        try await check("multipart/form-data/anonymous-model", ["profileImage": profileImage], [file])
    }

    @Test(.scenario("Payload_MultiPart_FormData_optionalParts"))
    func optionalParts() async throws {
        let path: URLPath = "multipart/form-data/optional-parts"
        let id: String? = nil
        let image: FilePart? = nil
        let file = Part.file("profileImage", jpeg, "image.jpg")
        try await check(path, ["id": "123", "profileImage": image], [.text("id", "123")])
        try await check(path, ["id": id, "profileImage": profileImage], [file])
        try await check(path, ["id": "123", "profileImage": profileImage], [.text("id", "123"), file])
    }

    @Test(
        .scenario(
            "Payload_MultiPart_FormData_fileArrayAndBasic", "Payload_MultiPart_FormData_jsonPart",
            "Payload_MultiPart_FormData_HttpParts_jsonArrayAndFileArray"))
    func jsonParts() async throws {
        let address = FilePart(.json(Address(city: "X")), filename: nil)
        let previous = FilePart(.json([Address(city: "Y"), Address(city: "Z")]), filename: nil)
        let pictures = [Part.file("pictures", png, "image.png"), .file("pictures", png, "image.png")]
        try await check(
            "multipart/form-data/json-part", ["address": address, "profileImage": profileImage],
            [.json("address", #"{"city":"X"}"#), .file("profileImage", jpeg, "image.jpg")])
        try await check(
            "multipart/form-data/complex-parts",
            ["id": 123, "address": address, "profileImage": profileImage, "pictures": [picture, picture]],
            [
                .text("id", "123"), .json("address", #"{"city":"X"}"#), .file("profileImage", jpeg, "image.jpg"),
            ] + pictures)
        try await check(
            "multipart/form-data/complex-parts-with-httppart",
            [
                "id": 123, "address": address, "profileImage": profileImage, "previousAddresses": previous,
                "pictures": [picture, picture],
            ],
            [
                .text("id", "123"), .json("address", #"{"city":"X"}"#), .file("profileImage", jpeg, "image.jpg"),
                .json("previousAddresses", #"[{"city":"Y"},{"city":"Z"}]"#),
            ] + pictures)
    }

    @Test(
        .scenario(
            "Payload_MultiPart_FormData_binaryArrayParts", "Payload_MultiPart_FormData_multiBinaryParts",
            "Payload_MultiPart_FormData_File_uploadFileArray"))
    func severalFiles() async throws {
        try await check(
            "multipart/form-data/binary-array-parts", ["id": 123, "pictures": [picture, picture]],
            [.text("id", "123"), .file("pictures", png, "image.png"), .file("pictures", png, "image.png")])

        let none: FilePart? = nil
        try await check(
            "multipart/form-data/multi-binary-parts", ["profileImage": profileImage, "picture": none],
            [.file("profileImage", jpeg, "image.jpg")])
        try await check(
            "multipart/form-data/multi-binary-parts", ["profileImage": profileImage, "picture": picture],
            [.file("profileImage", jpeg, "image.jpg"), .file("picture", png, "image.png")])

        let files = [FilePart(png, filename: "image1.png"), FilePart(png, filename: "image2.png")]
        try await check(
            "multipart/form-data/file/file-array", ["files": files],
            [.file("files", png, "image1.png", "image/png"), .file("files", png, "image2.png", "image/png")])
    }

    @Test(
        .scenario(
            "Payload_MultiPart_FormData_checkFileNameAndContentType",
            "Payload_MultiPart_FormData_HttpParts_ContentType_imageJpegContentType",
            "Payload_MultiPart_FormData_HttpParts_ContentType_requiredContentType",
            "Payload_MultiPart_FormData_HttpParts_ContentType_optionalContentType",
            "Payload_MultiPart_FormData_File_uploadFileSpecificContentType",
            "Payload_MultiPart_FormData_File_uploadFileRequiredFilename"))
    func namesAndTypesOfFiles() async throws {
        let hello = FilePart(jpeg, filename: "hello.jpg", contentType: "image/jpg")
        try await check(
            "multipart/form-data/check-filename-and-content-type", ["id": 123, "profileImage": hello],
            [.text("id", "123"), .file("profileImage", jpeg, "hello.jpg", "image/jpg")])
        try await check(
            "multipart/form-data/check-filename-and-specific-content-type-with-httppart", ["profileImage": hello],
            [.file("profileImage", jpeg, "hello.jpg", "image/jpg")])
        try await check(
            "multipart/form-data/check-filename-and-required-content-type-with-httppart",
            ["profileImage": profileImage], [.file("profileImage", jpeg, "image.jpg")])
        // Without a type of its own, a file whose name has no known extension is bytes.
        try await check(
            "multipart/form-data/file-with-http-part-optional-content-type",
            ["profileImage": FilePart(jpeg, filename: "image")], [.file("profileImage", jpeg, "image")])
        try await check(
            "multipart/form-data/file-with-http-part-optional-content-type", ["profileImage": profileImage],
            [.file("profileImage", jpeg, "image.jpg")])
        let image = FilePart(png, filename: "image.png")
        try await check(
            "multipart/form-data/file/specific-content-type", ["file": image],
            [.file("file", png, "image.png", "image/png")])
        try await check(
            "multipart/form-data/file/required-filename", ["file": image],
            [.file("file", png, "image.png", "image/png")])
    }

    @Test(.scenario("Payload_MultiPart_FormData_HttpParts_NonString_float"))
    func number() async throws {
        try await check("multipart/form-data/non-string-float", ["temperature": 0.5], [.text("temperature", "0.5")])
    }
}
