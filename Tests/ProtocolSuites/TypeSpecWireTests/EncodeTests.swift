import APIKit
import SuiteSupport
import Testing

/// Bools and numbers that are strings in JSON.
@Suite struct EncodeTests {
    struct Model<Value: Codable & LosslessStringConvertible & Equatable & Sendable>: JSONResponse, JSONBody, Equatable {
        var value: Quoted<Value>?
    }

    struct Echo<Value: Codable & LosslessStringConvertible & Equatable & Sendable>: ServiceRequest {
        typealias Response = Model<Value>
        var path: URLPath
        var value: Value
        var method: HTTPMethod { .post }
        var body: RequestBody? { .json(Model(value: Quoted(value))) }

        init(_ path: URLPath, _ value: Value) {
            self.path = path
            self.value = value
        }
    }

    /// Checks that a value is sent and read as a string.
    private func check<Value>(_ request: Echo<Value>, _ sent: String, _ received: String) async throws {
        try await expect(request, sends: "POST", "/\(request.path)", .json(#"{"value": "\#(sent)"}"#))
        try await expect(
            request, reads: #"{"value": "\#(received)"}"#, as: Model(value: Quoted(request.value)))
    }

    @Test(
        .scenario(
            "Encode_Boolean_Property_trueLower", "Encode_Boolean_Property_falseLower",
            "Encode_Boolean_Property_trueUpper", "Encode_Boolean_Property_falseMixed"))
    func bools() async throws {
        try await check(Echo("encode/boolean/property/true-lower", true), "true", "true")
        try await check(Echo("encode/boolean/property/false-lower", false), "false", "false")
        try await check(Echo("encode/boolean/property/true-upper", true), "true", "TRUE")
        try await check(Echo("encode/boolean/property/false-mixed", false), "false", "FaLsE")
    }

    @Test(
        .scenario(
            "Encode_Numeric_Property_safeintAsString", "Encode_Numeric_Property_uint32AsStringOptional",
            "Encode_Numeric_Property_uint8AsString"))
    func numbers() async throws {
        try await check(Echo("encode/numeric/property/safeint", Int64(10_000_000_000)), "10000000000", "10000000000")
        try await check(Echo("encode/numeric/property/uint32", UInt32(1)), "1", "1")
        try await check(Echo("encode/numeric/property/uint8", UInt8(255)), "255", "255")
        try await expect(Echo("encode/numeric/property/uint32", UInt32(1)), reads: "{}", as: Model(value: nil))
    }
}
