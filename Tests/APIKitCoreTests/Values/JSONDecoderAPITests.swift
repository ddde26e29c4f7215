import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@Suite struct JSONDecoderAPITests {
    private struct Value: Decodable { let at: Date }

    private func read(_ json: String) throws -> Date {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .rfc3339
        return try decoder.decode(Value.self, from: Data("{\"at\":\(json)}".utf8)).at
    }

    // The first six are the examples of RFC 3339, section 5.8.
    @Test(
        arguments: [
            ("1985-04-12T23:20:50.52Z", 482_196_050.52), ("1996-12-19T16:39:57-08:00", 851_042_397),
            ("1996-12-20T00:39:57Z", 851_042_397), ("1990-12-31T23:59:60Z", 662_688_000),
            ("1990-12-31T15:59:60-08:00", 662_688_000), ("1937-01-01T12:00:27.87+00:20", -1_041_337_172.13),
            ("1970-01-01t00:00:00z", 0), ("1970-01-01 00:00:00Z", 0), ("1970-01-01T00:00:00-00:00", 0),
            ("1970-01-01T00:00:00+00:00", 0), ("1970-01-01T00:00:00+0000", 0), ("1970-01-01T02:00:00+02", 0),
            ("1969-12-31T00:01:00-23:59", 0), ("1970-01-01T23:59:00+23:59", 0), ("1970-01-01T00:01Z", 60),
            ("1970-01-01T00:00:00.5Z", 0.5), ("1970-01-01T00:00:00,5Z", 0.5), ("1970-01-01T00:00:00.0000001Z", 1e-7),
            ("1970-01-01T00:00:00.123456789Z", 0.123456789), ("1970-01-01T00:00:00.1234567890123Z", 0.123456789),
            ("2000-02-29T00:00:00Z", 951_782_400), ("0000-02-29T00:00:00Z", -62_162_121_600),
            ("0000-01-01T00:00:00Z", -62_167_219_200), ("9999-12-31T23:59:59Z", 253_402_300_799),
            ("0000-01-01T00:00:00+23:59", -62_167_305_540), ("9999-12-31T23:59:59-23:59", 253_402_387_139),
            ("2026-11-20T18:30:00.789Z", 1_795_199_400.789),
        ] as [(String, Double)])
    func readsDatesWithOrWithoutFractionsWithAnyOffset(text: String, seconds: Double)
        throws
    {
        // A Date counts from 2001 and holds a tenth of a microsecond today.
        #expect(abs(try read("\"\(text)\"").timeIntervalSince1970 - seconds) < 1e-6)
    }

    @Test(arguments: [
        "", " ", "Z", "T", "1970", "1970-01-01", "1970-01-01T", "1970-01-01T00", "1970-01-01T00:00",
        "1970-01-01T00:00:00", "1970-01-01T00:00:00.5", "1970-01-01T00:00:00.Z", "1970-01-01T00:00:00+",
        "1970-01-01T00:00:00+1", "1970-01-01T00:00:00+01:", "1970-01-01T00:00:00+01:0", "1970-01-01T00:00:00+24:00",
        "1970-01-01T00:00:00+00:60", "1970-01-01T24:00:00Z", "1970-01-01T00:60:00Z", "1970-01-01T00:00:61Z",
        "1970-01-01T00:00:60Z", "1990-12-31T23:59:60+01:00", "1970-00-01T00:00:00Z", "1970-13-01T00:00:00Z",
        "1970-01-00T00:00:00Z", "1970-01-32T00:00:00Z", "1970-04-31T00:00:00Z", "1970-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z", "70-01-01T00:00:00Z", "-1970-01-01T00:00:00Z", "+11970-01-01T00:00:00Z",
        "1970-1-1T00:00:00Z", "1970-01-01T0:00:00Z", "1970-01-01T00:00:00ZZ", " 1970-01-01T00:00:00Z",
        "1970-01-01T00:00:00Z ", "1970/01/01T00:00:00Z", "1970-W01-1T00:00:00Z", "19700101T000000Z",
        "1970-01-01T00:00:00\u{2212}01:00", "\u{661}970-01-01T00:00:00Z", "1970-01-01T00:00:00Z\u{301}", "null",
    ]) func rejectsTextThatIsNotADateAndTime(text: String) throws {
        #expect(throws: DecodingError.self) { try read("\"\(text)\"") }
    }

    @Test func errorsSayThatADateWasExpected() async throws {
        struct Event: JSONResponse { let at: Date }
        let problems = [(#""soon""#, "at: expected a date and time with an offset"), ("7", "at is not a Date")]
        for (json, problem) in problems {
            let client = ImmediateClient(.json("{\"at\":\(json)}"))
            #expect(try await client.failure(of: Endpoint<Event, Data>()).description.contains(problem))
        }
    }

    // Bytes that nobody would write never end the process.
    @Test func readsOrRejectsRandomTexts() throws {
        var random = SplitMix64(state: 3)
        let valid = Array("2026-11-20T18:30:00.123+02:00".utf8)
        for _ in 0..<5_000 {
            var bytes = valid
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let index = bytes.indices.randomElement(using: &random) ?? 0
                bytes[index] = "0123456789-+:.TZz ".utf8.randomElement(using: &random) ?? 0
            }
            let text = String(decoding: bytes.prefix(Int.random(in: 0...bytes.count, using: &random)), as: UTF8.self)
            _ = try? read("\"\(text)\"")
        }
    }
}
