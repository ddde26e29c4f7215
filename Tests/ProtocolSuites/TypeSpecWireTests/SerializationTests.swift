import APIKit
import SuiteSupport
import Testing

/// A member whose name in JSON is not that of the property.
@Suite struct SerializationTests {
    struct Model: JSONResponse, JSONBody, Equatable {
        var defaultName: Bool
        enum CodingKeys: String, CodingKey { case defaultName = "wireName" }
    }

    struct Send: ServiceRequest {
        var model: Model
        var method: HTTPMethod { .post }
        var path: URLPath { "serialization/encoded-name/json/property" }
        var body: RequestBody? { .json(model) }
    }

    struct Receive: ServiceRequest {
        typealias Response = Model
        var path: URLPath { "serialization/encoded-name/json/property" }
    }

    @Test(.scenario("Serialization_EncodedName_Json_Property_send", "Serialization_EncodedName_Json_Property_get"))
    func encodedName() async throws {
        try await expect(
            Send(model: Model(defaultName: true)), sends: "POST", "/serialization/encoded-name/json/property",
            .json(#"{"wireName": true}"#))
        try await expect(Receive(), sends: "GET", "/serialization/encoded-name/json/property")
        try await expect(Receive(), reads: #"{"wireName": true}"#, as: Model(defaultName: true))
    }
}
