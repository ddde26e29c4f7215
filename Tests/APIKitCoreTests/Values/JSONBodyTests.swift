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

    /// A model that names no encoder.
    private struct Note: Encodable {
        var text = "a"
    }

    /// Endpoints declare their bodies like this.
    private struct Bodies {
        var payment: Payment?
        var payments: [Payment]?
        var note: Note?
        var model: RequestBody? { .json(payment) }
        var list: RequestBody? { .json(payments) }
        var encodable: RequestBody? { .json(note, encoder: .api) }
        var explicit: RequestBody? { RequestBody.json(payment) }

        /// A value that is not optional, and a literal of parameters, still compile.
        static let others: [RequestBody?] = [.json([Payment?.none]), .json([1, nil], encoder: .api), .json(["a": 1])]
    }

    @Test func aNilValueIsNoBody() {
        let bodies = Bodies()
        #expect(bodies.model == nil && bodies.list == nil && bodies.encodable == nil)
        #expect(bodies.explicit?.text == "null")
    }

    @Test func anOptionalValueIsWrittenLikeTheValue() {
        let bodies = Bodies(payment: payment, payments: [payment], note: Note())
        #expect(bodies.model?.text == #"{"paidAt":60}"#)
        #expect(bodies.list?.text == #"[{"paidAt":60}]"#)
        #expect(bodies.encodable?.text == #"{"text":"a"}"#)
        #expect(bodies.explicit == bodies.model)
        #expect(Bodies.others.map { $0?.text } == ["[null]", "[1,null]", #"{"a":1}"#])
    }

    @Test func anEndpointWithANilBodySendsNone() throws {
        let request = try BodyProbe(body: .json(Payment?.none)).httpRequest()
        #expect(request.body == nil && request.headers[.contentType] == nil)
    }

    // MARK: - Generic endpoints, JSON lines

    private struct Create<Model: JSONBody>: APIRequest {
        typealias Response = NoContent
        let model: Model
        let base: APIBase = "https://h"
        let path: URLPath = "items"
        let method = HTTPMethod.post
        var body: RequestBody? { .json(model) }
    }

    @Test func genericEndpointNeedsNoConstraintOnTheEncoder() throws {
        #expect(try Create(model: payment).httpRequest().body?.text == #"{"paidAt":60}"#)
        #expect(try Create(model: [payment]).httpRequest().body?.text == #"[{"paidAt":60}]"#)
    }

    @Test func jsonLinesAreOneValuePerLine() async throws {
        let body = RequestBody.jsonLines([payment, Payment(paidAt: Date(timeIntervalSince1970: 61))])
        #expect(body.text == "{\"paidAt\":60}\n{\"paidAt\":61}\n")
        #expect(body.contentType == .jsonLines)
        let (payments, continuation) = AsyncStream.makeStream(of: Payment.self)
        continuation.yield(payment)
        continuation.yield(payment)
        continuation.finish()
        let stream = RequestBody.jsonLines(contentType: "application/jsonl") { payments }
        #expect(stream.length == nil)
        #expect(try await stream.bytes.data(upTo: 1000) == Data("{\"paidAt\":60}\n{\"paidAt\":60}\n".utf8))
    }

    private struct Unwritable: JSONBody {
        func encode(to encoder: any Encoder) throws { throw CancellationError() }
    }

    @Test func lineThatCannotBeWrittenIsAnError() async throws {
        #expect(throws: RequestError.self) {
            try BodyProbe(body: .jsonLines([Unwritable()])).httpRequest()
        }
        let stream = RequestBody.jsonLines { AsyncStream { Optional<Unwritable>.some(Unwritable()) } }
        let error = try await #require(throws: TransportError.self) { try await stream.bytes.data(upTo: 1000) }
        #expect(error.code == .requestBodyFailed)
    }

    private struct Pretty: JSONBody {
        var text = "a\nb"
        static var encoder: JSONEncoder {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .prettyPrinted
            return encoder
        }
    }

    @Test func lineOfAnEncoderThatBreaksLinesHasNoBreaks() throws {
        let lines = RequestBody.jsonLines([Pretty(), Pretty()]).text.split(separator: "\n")
        #expect(lines.count == 2)
        let values = try lines.map { try JSONDecoder().decode([String: String].self, from: Data($0.utf8)) }
        #expect(values == [["text": "a\nb"], ["text": "a\nb"]])
    }
}
