import APIKit
import APIKitTesting
import Foundation
import SuiteSupport
import Testing

/// Files as bodies: the folder `type/file`.
@Suite struct FileTests {
    struct UploadFile: SuiteRequest {
        typealias Response = NoContent
        let path: URLPath
        let file: Data
        let type: MIMEType
        var method: HTTPMethod { .post }
        var body: RequestBody? { .data(file, contentType: type) }
    }

    struct DownloadFile: SuiteRequest {
        typealias Response = Data
        let path: URLPath
        var acceptedTypes = "*/*"
        var headers: HTTPHeaders { [.accept: acceptedTypes] }
    }

    /// The start of a PNG file.
    let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0xFF])
    let json = Data(#"{"message":"test file content"}"#.utf8)

    @Test(
        .scenario(
            "Type_File_Body_uploadFileSpecificContentType", "Type_File_Body_uploadFileJsonContentType",
            "Type_File_Body_uploadFileMultipleContentTypes", "Type_File_Body_uploadFileDefaultContentType"),
        arguments: [
            ("specific-content-type", "image/png"), ("json-content-type", "application/json"),
            ("multiple-content-types", "image/png"), ("default-content-type", "image/png"),
        ] as [(String, String)])
    func upload(folder: String, type: String) async throws {
        let path = "type/file/body/request/\(folder)"
        let file = type == "image/png" ? png : json
        let request = UploadFile(path: "\(segments: path)", file: file, type: MIMEType(rawValue: type))
        try await expect(request, sends: "POST", "/\(path)", headers: ["Content-Type": type], .data(file))
        try await expect(request, reads: "", status: 204, as: NoContent())
    }

    @Test(
        .scenario(
            "Type_File_Body_downloadFileSpecificContentType", "Type_File_Body_downloadFileJsonContentType",
            "Type_File_Body_downloadFileMultipleContentTypes", "Type_File_Body_downloadFileDefaultContentType"),
        arguments: [
            ("specific-content-type", "image/png", "image/png"),
            ("json-content-type", "application/json", "application/json"),
            ("multiple-content-types", "image/png, image/jpeg", "image/png"),
            ("default-content-type", "*/*", "image/png"),
        ] as [(String, String, String)])
    func download(folder: String, acceptedTypes: String, type: String) async throws {
        let path = "type/file/body/response/\(folder)"
        let file = type == "image/png" ? png : json
        let request = DownloadFile(path: "\(segments: path)", acceptedTypes: acceptedTypes)
        try await expect(request, sends: "GET", "/\(path)", headers: ["Accept": acceptedTypes])
        let client = StubClient(.status(200, headers: [.contentType: type], body: file))
        let reply = try await client.reply(to: request)
        #expect(reply.model == file)
        #expect(reply.head.contentType?.rawValue == type)
    }
}
