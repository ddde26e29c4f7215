import APIKitCore
import Foundation
import TestSupport
import Testing

@Suite struct HTTPDateTests {
    private struct Item: Codable, Equatable { var at: Date }

    @Test(
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (-62_167_219_200, "Sat, 01 Jan 0000 00:00:00 GMT"), (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
        ] as [(Double, String)])
    func isWrittenAndRead(seconds: Double, text: String) throws {
        let date = Date(timeIntervalSince1970: seconds)
        #expect(Date(httpDate: text) == date)
        let query = try WireProbe(parameters: ["at": .date(date, as: .httpDate)]).queryText()
        #expect(
            query == "at=\(text.replacing(",", with: "%2C").replacing(":", with: "%3A").replacing(" ", with: "%20"))")
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .httpDate
        let json = try encoder.encode(Item(at: date))
        #expect(String(decoding: json, as: UTF8.self) == #"{"at":"\#(text)"}"#)
        #expect(try JSONReader(dates: .httpDate).decode(Item.self, from: json) == Item(at: date))
    }

    @Test func isRoundedDownToASecond() throws {
        let headers: HTTPHeaders = [.date: Date(timeIntervalSince1970: -0.5)]
        #expect(headers[.date] == "Wed, 31 Dec 1969 23:59:59 GMT")
    }

    @Test(arguments: [#"{"at":"1994-11-06T08:49:37Z"}"#, #"{"at":7}"#, #"{"at":null}"#, "{}"])
    func otherJSONIsAnError(json: String) {
        #expect(throws: DecodingError.self) {
            try JSONReader(dates: .httpDate).decode(Item.self, from: Data(json.utf8))
        }
    }

    @Test func dateOutsideTheYearsCannotBeEncoded() {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .httpDate
        #expect(throws: EncodingError.self) { try encoder.encode(Item(at: Date(timeIntervalSince1970: 1e15))) }
    }
}
