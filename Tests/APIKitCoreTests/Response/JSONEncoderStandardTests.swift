import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@Suite struct JSONEncoderStandardTests {
    @Test func sortsMembersAndKeepsSlashes() throws {
        let value = Dictionary(uniqueKeysWithValues: (0..<40).map { ("k\($0)", "a/b") })
        let text = value.keys.sorted().map { "\"\($0)\":\"a/b\"" }.joined(separator: ",")
        #expect(try JSONEncoder.api.encode(value) == Data("{\(text)}".utf8))
    }

    @Test func eachCoderIsNewAndMayBeChanged() throws {
        let encoder = JSONEncoder.api
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let decoder = JSONDecoder.api
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        struct Model: JSONBody, Decodable, Equatable { var perPage = 7 }
        #expect(try encoder.encode(Model()) == Data(#"{"per_page":7}"#.utf8))
        #expect(try decoder.decode(Model.self, from: encoder.encode(Model())) == Model())
        #expect(RequestBody.json(Model()).text == #"{"perPage":7}"#)
        #expect(throws: DecodingError.self) {
            try JSONDecoder.api.decode(Model.self, from: encoder.encode(Model()))
        }
    }

    @Test(arguments: [-62_167_219_201.0, 253_402_300_800, .infinity, -.infinity, .nan, 1e300, -1e300])
    func rejectsDatesOutsideTheYears0To9999(seconds: Double) throws {
        struct Value: JSONBody { var start: Date }
        let body = RequestBody.json(Value(start: Date(timeIntervalSince1970: seconds)))
        try BodyProbe(body: body).expectFault(.body, "start: the date is outside the years 0 to 9999")
    }

    @Test func foundationReadsTheSameDates() throws {
        var random = SplitMix64(state: 21)
        for _ in 0..<500 {
            let seconds = Int.random(in: -2_208_988_800..<4_102_444_800, using: &random)
            let date = Date(timeIntervalSince1970: Double(seconds))
            let data = try JSONEncoder.api.encode([date + 0.5])
            #expect(try JSONDecoder.api.decode([Date].self, from: data) == [date])
            let text = String(decoding: data.dropFirst(2).dropLast(2), as: UTF8.self)
            #expect(try Date(text, strategy: .iso8601) == date)
        }
    }

    @Test func endpointsReadAndWriteDates() async throws {
        struct Event: JSONResponse, JSONBody { var start: Date }
        let event = Event(start: Date(timeIntervalSince1970: 60))
        #expect(RequestBody.json(event).text == #"{"start":"1970-01-01T00:01:00Z"}"#)
        let client = ImmediateClient(.json(#"{"start":"1970-01-01T01:01:00.5+01:00"}"#))
        #expect(try await client.send(Endpoint<Event, Data>()).start == Date(timeIntervalSince1970: 60.5))
    }
}
