import APIKitCore
import Foundation
import TestSupport
import Testing

@Suite struct JSONBodyTests {
    /// An API that writes and reads seconds.
    private protocol PayModel: JSONResponse, JSONBody where BodyEncoder == JSONEncoder {}

    private struct Payment: PayModel, Equatable {
        var paidAt: Date
        static var decoder: JSONDecoder { payDecoder }
        static var encoder: JSONEncoder { payEncoder }
    }

    private static let payDecoder: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        return decoder
    }()

    private static let payEncoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        return encoder
    }()

    private let payment = Payment(paidAt: Date(timeIntervalSince1970: 60))

    @Test func usesTheEncoderOfItsAPI() throws {
        #expect(RequestBody.json(payment).text == #"{"paidAt":60}"#)
        #expect(RequestBody.json([payment]).text == #"[{"paidAt":60}]"#)
        #expect(RequestBody.json(["a": [payment]]).text == #"{"a":[{"paidAt":60}]}"#)
        #expect(RequestBody.json([payment, nil]).text == #"[{"paidAt":60},null]"#)
        let value: any PayModel = payment
        #expect(RequestBody.json(value).text == #"{"paidAt":60}"#)
        // A given encoder overrides that of the API.
        #expect(RequestBody.json(payment, encoder: JSONEncoder.api).text == #"{"paidAt":"1970-01-01T00:01:00Z"}"#)
        #expect(try Payment.process(data: #require(RequestBody.json(payment).data)) == payment)
    }
}
