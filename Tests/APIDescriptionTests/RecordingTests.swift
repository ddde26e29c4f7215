import APIDescription
import APIKitCore
import APIKitRecording
import Foundation
import Testing

@Suite struct RecordingTests {
    private func problems(_ entries: (method: String, path: String, status: Int, type: String, body: String)...) throws
        -> [String]
    {
        let texts = entries.map { entry in
            let body = entry.body.replacing("\"", with: "\\\"")
            return #"""
                {"request": {"method": "\#(entry.method)", "url": "https://eu.shop.example/v2\#(entry.path)"},
                "response": {"status": \#(entry.status), "headers": [{"name": "Content-Type", "value": "\#(entry.type)"}],
                "content": {"text": "\#(body)"}}}
                """#
        }
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).har")
        try Data(#"{"log": {"entries": [\#(texts.joined(separator: ","))]}}"#.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try Shop.description().problems(with: HARFile(file)).map(\.description)
    }

    private let lamp = #"{"id": 7, "name": "Lamp", "state": "new", "price": {"amount": 9.5, "currency": "EUR"}}"#

    @Test func describedResponsesAreFine() throws {
        #expect(
            try problems(
                ("GET", "/items", 200, "application/json; charset=utf-8", "[\(lamp), \(lamp)]"),
                ("GET", "/items/7", 503, "application/json", #"{"reason": "***"}"#),
                ("GET", "/items/7", 0, "", ""),
                ("POST", "/photos", 204, "", "")) == [])
    }

    @Test(arguments: ["https://eu.shop.example/v2", "https://eu.shop.example/v2/"])
    func unknownPathOfAServerIsNamed(server: String) throws {
        let text = #"{"openapi": "3.0.0", "servers": [{"url": "\#(server)"}], "paths": {}}"#
        let entry =
            #"{"request": {"method": "GET", "url": "https://eu.shop.example/v2/a"}, "response": {"status": 200}}"#
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).har")
        try Data(#"{"log": {"entries": [\#(entry)]}}"#.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let problems = try APIDescription(Data(text.utf8)).problems(with: HARFile(file))
        #expect(problems.map(\.endpoint) == ["entry 1"])
    }

    @Test func namesWhatTheDescriptionDoesNotHave() throws {
        let sold = lamp.replacing("new", with: "sold").replacing("9.5", with: "null")
        #expect(
            try problems(
                ("GET", "/items", 200, "application/json", "[\(lamp), \(sold), \(sold)]"),
                ("GET", "/items", 200, "application/json", "[\(sold)]"),
                ("GET", "/items", 500, "application/json", "{}"),
                ("GET", "/items/7", 200, "text/html", "<p>"),
                ("DELETE", "/items/7", 204, "", "")) == [
                    #"GET /items: response 200 [1].state is "sold", not one of "new", "used" (#/components/schemas/Item/properties/state/enum)"#,
                    "GET /items: response 200 [1].price.amount is null, not a number (#/components/schemas/Price/properties/amount/type)",
                    "GET /items: response 500 is not in the description (#/paths/~1items/get)",
                    "GET /items/{id}: response 200 is text/html, not application/json (#/paths/~1items~1{id}/get/responses/200/content)",
                    "entry 5: is DELETE https://eu.shop.example/v2/items/7, which the description does not have, but GET (#/paths/~1items~1{id})",
                ])
    }
}
