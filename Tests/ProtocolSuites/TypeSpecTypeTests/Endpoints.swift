import APIKit
import Foundation
import SuiteSupport
import Testing

/// An endpoint of the suite's server.
protocol SuiteRequest: APIRequest {}

extension SuiteRequest {
    var base: APIBase { "http://localhost:3000" }
}

/// An endpoint that returns a JSON value.
struct Get<Value: Decodable & Sendable>: SuiteRequest {
    typealias Response = JSON<Value>
    let path: URLPath
}

/// An endpoint that takes a JSON value.
struct Put<Value: Encodable & Sendable>: SuiteRequest {
    typealias Response = NoContent
    let path: URLPath
    let value: Value
    var method: HTTPMethod { .put }
    var body: RequestBody? { .json(value, encoder: .api) }
}

/// Checks an endpoint that returns a value and one that takes it, with the same path, which is without its first slash.
///
/// The JSON is without spaces, its members in alphabetical order: the body that is sent must be the same text.
func expectGetAndPut<Value: Codable & Equatable & Sendable>(
    _ path: String, _ value: Value, _ json: String, sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    let get = Get<Value>(path: "\(segments: path)")
    try await expect(
        get, sends: "GET", "/\(path)", headers: ["Accept": "application/json"], sourceLocation: sourceLocation)
    try await expect(get, reads: json, as: value, sourceLocation: sourceLocation)

    let put = Put(path: "\(segments: path)", value: value)
    try await expect(
        put, sends: "PUT", "/\(path)", headers: ["Content-Type": "application/json"], .text(json),
        sourceLocation: sourceLocation)
    try await expect(put, reads: "", status: 204, as: NoContent(), sourceLocation: sourceLocation)
}

/// 2022-08-26T18:38:00Z.
let exampleDate = Date(timeIntervalSince1970: 1_661_539_080)

/// The text `hello, world!`, which is `aGVsbG8sIHdvcmxkIQ==` in Base64.
let exampleBytes = Data("hello, world!".utf8)
