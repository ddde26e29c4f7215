import APIKit
import Foundation
import SuiteSupport
import Testing

/// Bytes as Base64, as Base64 for URLs, and as they are.
@Suite struct EncodeBytesTests {
    private let bytes = Data("test".utf8)
    private let picture = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])

    // MARK: - Parameters and headers

    @Test(
        .scenario(
            "Encode_Bytes_Query_default", "Encode_Bytes_Query_base64", "Encode_Bytes_Query_base64url",
            "Encode_Bytes_Query_base64urlArray"))
    func query() async throws {
        let url = bytes.base64URLEncodedString()
        try await expect(
            Get("encode/bytes/query/default", ["value": bytes]), sends: "GET",
            "/encode/bytes/query/default?value=dGVzdA%3D%3D")
        try await expect(
            Get("encode/bytes/query/base64", ["value": bytes]), sends: "GET",
            "/encode/bytes/query/base64?value=dGVzdA%3D%3D")
        try await expect(
            Get("encode/bytes/query/base64url", ["value": url]), sends: "GET",
            "/encode/bytes/query/base64url?value=dGVzdA")
        try await expect(
            Get("encode/bytes/query/base64url-array", ["value": .list([url, url], as: .commas)]), sends: "GET",
            "/encode/bytes/query/base64url-array?value=dGVzdA,dGVzdA")
    }

    @Test(
        .scenario(
            "Encode_Bytes_Header_default", "Encode_Bytes_Header_base64", "Encode_Bytes_Header_base64url",
            "Encode_Bytes_Header_base64urlArray"))
    func header() async throws {
        let url = bytes.base64URLEncodedString()
        try await expect(
            Get("encode/bytes/header/default", headers: ["value": bytes]), sends: "GET",
            "/encode/bytes/header/default", headers: ["value": "dGVzdA=="])
        try await expect(
            Get("encode/bytes/header/base64", headers: ["value": bytes]), sends: "GET",
            "/encode/bytes/header/base64", headers: ["value": "dGVzdA=="])
        try await expect(
            Get("encode/bytes/header/base64url", headers: ["value": url]), sends: "GET",
            "/encode/bytes/header/base64url", headers: ["value": "dGVzdA"])
        try await expect(
            Get("encode/bytes/header/base64url-array", headers: ["value": .list([url, url], as: .commas)]),
            sends: "GET", "/encode/bytes/header/base64url-array", headers: ["value": "dGVzdA,dGVzdA"])
    }

    // MARK: - Members

    struct Base64<Value: Codable & Equatable & Sendable>: JSONResponse, JSONBody, Equatable {
        var value: Value
    }

    /// A model of an API whose bytes are Base64 for URLs.
    struct Base64URL<Value: Codable & Equatable & Sendable>: JSONResponse, JSONBody, Equatable {
        var value: Value
        static var decoder: JSONReader { JSONReader(data: .base64URL) }
        static var encoder: JSONEncoder {
            let encoder = JSONEncoder.api
            encoder.dataEncodingStrategy = .base64URL
            return encoder
        }
    }

    struct Echo<Model: JSONResponse & JSONBody & Equatable>: ServiceRequest {
        typealias Response = Model
        var path: URLPath
        var model: Model
        var method: HTTPMethod { .post }
        var body: RequestBody? { .json(model) }
    }

    private func check(_ request: Echo<some JSONResponse & JSONBody & Equatable>, _ json: String) async throws {
        try await expect(request, sends: "POST", "/\(request.path)", .json(json))
        try await expect(request, reads: json, as: request.model)
    }

    @Test(
        .scenario(
            "Encode_Bytes_Property_default", "Encode_Bytes_Property_base64", "Encode_Bytes_Property_base64url",
            "Encode_Bytes_Property_base64urlArray"))
    func members() async throws {
        try await check(
            Echo(path: "encode/bytes/property/default", model: Base64(value: bytes)), #"{"value": "dGVzdA=="}"#)
        try await check(
            Echo(path: "encode/bytes/property/base64", model: Base64(value: bytes)), #"{"value": "dGVzdA=="}"#)
        try await check(
            Echo(path: "encode/bytes/property/base64url", model: Base64URL(value: bytes)), #"{"value": "dGVzdA"}"#)
        try await check(
            Echo(path: "encode/bytes/property/base64url-array", model: Base64URL(value: [bytes, bytes])),
            #"{"value": ["dGVzdA", "dGVzdA"]}"#)
    }

    // MARK: - Request bodies

    struct Send: ServiceRequest {
        var path: URLPath
        var body: RequestBody?
        var method: HTTPMethod { .post }
    }

    @Test(
        .scenario(
            "Encode_Bytes_RequestBody_default", "Encode_Bytes_RequestBody_octetStream",
            "Encode_Bytes_RequestBody_customContentType"))
    func requestBody() async throws {
        try await expect(
            Send(path: "encode/bytes/body/request/default", body: .data(picture, contentType: .octetStream)),
            sends: "POST", "/encode/bytes/body/request/default",
            headers: ["Content-Type": "application/octet-stream"], .data(picture))
        try await expect(
            Send(path: "encode/bytes/body/request/octet-stream", body: .data(picture, contentType: .octetStream)),
            sends: "POST", "/encode/bytes/body/request/octet-stream",
            headers: ["Content-Type": "application/octet-stream"], .data(picture))
        try await expect(
            Send(path: "encode/bytes/body/request/custom-content-type", body: .data(picture, contentType: .png)),
            sends: "POST", "/encode/bytes/body/request/custom-content-type",
            headers: ["Content-Type": "image/png"], .data(picture))
    }

    @Test(.scenario("Encode_Bytes_RequestBody_base64", "Encode_Bytes_RequestBody_base64url"))
    func requestBodyInJSON() async throws {
        try await expect(
            Send(path: "encode/bytes/body/request/base64", body: .json(bytes, encoder: .api)), sends: "POST",
            "/encode/bytes/body/request/base64", headers: ["Content-Type": "application/json"], .text(#""dGVzdA==""#))
        try await expect(
            Send(path: "encode/bytes/body/request/base64url", body: .json(bytes, encoder: Base64URL<Data>.encoder)),
            sends: "POST", "/encode/bytes/body/request/base64url", headers: ["Content-Type": "application/json"],
            .text(#""dGVzdA""#))
    }

    // MARK: - Response bodies

    struct Download: ServiceRequest {
        typealias Response = Data
        var path: URLPath
    }

    struct DownloadBase64: ServiceRequest {
        typealias Response = JSON<Data>
        var path: URLPath { "encode/bytes/body/response/base64" }
    }

    struct DownloadBase64URL: ServiceRequest {
        typealias Response = JSON<Data>
        var path: URLPath { "encode/bytes/body/response/base64url" }
        func process(_ response: HTTPResponse) async throws -> Data {
            try JSONReader(data: .base64URL).decode(Data.self, from: try await Data.process(response: response))
        }
    }

    @Test(
        .scenario(
            "Encode_Bytes_ResponseBody_default", "Encode_Bytes_ResponseBody_octetStream",
            "Encode_Bytes_ResponseBody_customContentType"))
    func responseBody() async throws {
        let paths: [URLPath] = [
            "encode/bytes/body/response/default", "encode/bytes/body/response/octet-stream",
            "encode/bytes/body/response/custom-content-type",
        ]
        for path in paths {
            try await expect(Download(path: path), sends: "GET", "/\(path)")
            let received = try await reply(Download(path: path), picture, headers: [.contentType: "image/png"])
            #expect(received.model == picture)
        }
    }

    @Test(.scenario("Encode_Bytes_ResponseBody_base64"))
    func responseBodyInJSON() async throws {
        try await expect(DownloadBase64(), sends: "GET", "/encode/bytes/body/response/base64")
        try await expect(DownloadBase64(), reads: #""dGVzdA==""#, as: bytes)
    }

    @Test(.scenario("Encode_Bytes_ResponseBody_base64url", byHand: "a decoder for JSON that is not an object"))
    func responseBodyInJSONForURLs() async throws {
        try await expect(DownloadBase64URL(), sends: "GET", "/encode/bytes/body/response/base64url")
        try await expect(DownloadBase64URL(), reads: #""dGVzdA""#, as: bytes)
    }
}
