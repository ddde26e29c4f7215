import APIKitCore
import Foundation
import Testing

@Suite struct ResponseBodyTests {
    @Test func isEmptyDataUnlessToldOtherwise() {
        #expect(ResponseBody().data == Data())
        #expect(ResponseBody().description == "")
    }

    @Test func descriptionIsOneLineOfText() {
        #expect(ResponseBody(Data("a\r\n  b\n\n\tc".utf8)).description == "a b c")
    }

    @Test func descriptionCountsWhatIsNotText() {
        #expect(ResponseBody(Data([0x89, 0x50, 0x4E, 0x47, 0x00, 0x01])).description == "(6 bytes)")
    }

    @Test func descriptionIsCut() {
        let text = ResponseBody(Data(String(repeating: "x", count: 100_000).utf8)).description
        #expect(text.hasPrefix("xxx"))
        #expect(text.hasSuffix("…"))
        #expect(text.count <= 201)
    }

    // Wherever the cut falls, no part of the secret may show.
    @Test(arguments: Array(stride(from: 700, through: 830, by: 1)))
    func descriptionNeverShowsASecretAtTheCut(padding: Int) {
        let json = #"{"note": "\#(String(repeating: " ", count: padding))", "password": "hunter2-hunter2-hunter2"}"#
        #expect(!ResponseBody(Data(json.utf8)).description.contains("hunt"))
    }

    @Test(arguments: Array(stride(from: 150, through: 230, by: 1)))
    func descriptionNeverShowsASecretAtTheLimit(padding: Int) {
        let json = #"{"n":"\#(String(repeating: "n", count: padding))","client_secret":"hunter2","id":7}"#
        #expect(!ResponseBody(Data(json.utf8)).description.contains("hunt"))
    }
}
