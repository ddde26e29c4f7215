import APIKit
import APIKitTesting
import Testing

/// The code in `Unions`, as it is generated: each value is sent as it was read, or kept as JSON.
@Suite struct UnionsTests {
    private func body(_ request: some APIRequest) throws -> String? {
        try request.httpRequest().body?.data.map { String(decoding: $0, as: UTF8.self) }
    }

    private func value(_ json: String?) throws -> JSONValue {
        try JSONReader().decode(JSONValue.self, from: Data(#require(json).utf8))
    }

    private func mark(_ json: String) throws -> Mark { try Mark.process(data: Data(json.utf8)) }

    // MARK: - Numbers

    @Test(arguments: [
        #"{"type": 1, "message": "a"}"#, #"{"type": 1}"#, #"{"type": 2, "channel_id": "7"}"#,
        #"{"type": 3, "seconds": 5}"#, #"{"type": 3, "days": 5}"#, #"{"type": 2.0, "channel_id": "7"}"#,
        #"{"type": 4, "new": [1, null]}"#, #"{"type": "2", "channel_id": "7"}"#, #"{"channel_id": "7"}"#,
        #"{"type": null, "channel_id": "7"}"#, #"{"type": 1.5}"#, #"{"type": true}"#, #"{"type": 3}"#,
        #"{"type": 99999999999999999999, "a": 1}"#, "[]", "7", #""text""#,
    ])
    func valuesAreSentAsTheyWereRead(json: String) throws {
        let action = try Action.process(data: Data(json.utf8))
        #expect(try value(body(CreateActionRequest(action: action))) == value(json))
    }

    @Test func numbersChooseTheVariant() throws {
        guard case .alert(let alert) = try Action.process(data: Data(#"{"type": 2, "channel_id": "7"}"#.utf8)) else {
            Issue.record("2 is an alert")
            return
        }
        #expect(alert.channelID == "7")
        guard case .timeout(let timeout) = try Action.process(data: Data(#"{"type": 3, "seconds": 5}"#.utf8)) else {
            Issue.record("3 with seconds is a timeout")
            return
        }
        #expect(timeout.seconds == 5)
    }

    @Test func knownVariantOfAnotherFormIsAnError() {
        #expect(throws: (any Error).self) { try Action.process(data: Data(#"{"type": 2, "channel_id": 7}"#.utf8)) }
    }

    @Test func constantsAreSentWithoutTheCaller() throws {
        #expect(
            try body(CreateActionRequest(action: .alert(.init(channelID: "7")))) == #"{"channel_id":"7","type":2}"#)
        #expect(try body(CreateMessageRequest(text: "a")) == #"{"kind":"message","text":"a"}"#)
    }

    // MARK: - Other values

    @Test(arguments: [
        #"{"mixed": {"kind": "a", "text": "b"}}"#, #"{"mixed": {"kind": 1, "number": 2.5}}"#,
        #"{"mixed": {"kind": true, "flag": false}}"#, #"{"mixed": {"kind": "1", "number": 2}}"#,
        #"{"mixed": {"kind": false, "flag": false}}"#, #"{"ratio": {"ratio": 0.5, "a": "b"}}"#,
        #"{"ratio": {"ratio": 1, "a": "b"}}"#, #"{"ratio": {"ratio": 1.0}}"#, #"{"ratio": {"ratio": 2, "b": []}}"#,
        #"{"switch": {"ok": true, "value": "a"}}"#, #"{"switch": {"ok": false, "reason": "a"}}"#,
        #"{"switch": {"ok": 1, "reason": "a"}}"#, #"{"large": {"id": 5000000000, "a": "b"}}"#,
        #"{"large": {"id": -5, "a": "b"}}"#, #"{"mapped": {"version": 1, "a": "b"}}"#,
        #"{"mapped": {"version": 2, "a": "b"}}"#, #"{"mapped": {"version": 3, "c": "b"}}"#,
        #"{"partly": {"type": 1, "x": "b"}}"#, #"{"partly": {"type": 2, "x": "b"}}"#, #"{"partly": {"y": "b"}}"#,
        #"{"partly": {"type": 3, "x": "b"}}"#, #"{"partly": {"type": 3, "y": "b"}}"#,
        #"{"digits": {"kind": "1", "a": "b"}}"#, #"{"digits": {"kind": "-1"}}"#, #"{"digits": {"kind": ""}}"#,
        #"{"digits": {"kind": "日本", "a": "b"}}"#, #"{"digits": {"kind": 2, "tokyo": "a"}}"#,
        #"{"nested": {"type": 2, "channel_id": "7"}}"#, #"{"nested": {"type": 9, "b": 1}}"#,
        #"{"nested": [{"type": 1}, {"type": 9, "b": 1}]}"#, #"{"nested": {"deep": {}}}"#,
    ])
    func valuesInMembersAreSentAsTheyWereRead(json: String) throws {
        let request = CreateMarksRequest(content: [try mark(json)])
        #expect(try value(body(request)) == .array([value(json)]))
    }

    @Test func constantsOfAllTypesChooseTheVariant() throws {
        guard case .number(let number)? = try mark(#"{"mixed": {"kind": 1, "number": 2}}"#).mixed,
            case .whole? = try mark(#"{"ratio": {"ratio": 1.0}}"#).ratio,
            case .problem(let problem)? = try mark(#"{"switch": {"ok": false, "reason": "a"}}"#).switch,
            case .second(let second)? = try mark(#"{"mapped": {"version": 2, "a": "b"}}"#).mapped,
            case .two? = try mark(#"{"partly": {"type": 2, "x": "b"}}"#).partly
        else {
            Issue.record("a constant did not choose its variant")
            return
        }
        #expect(number.number == 2)
        #expect(problem.reason == "a")
        #expect(second.a == "b")
    }

    // MARK: - Null

    @Test(arguments: [
        #"{"filters": [{"key": "a"}, null], "byName": {"a": null, "b": {"key": "c"}}, "mixed": ["a", 1, null]}"#,
        #"{"status": "", "filter": {"key": "a", "must": [{"key": "b"}, null]}, "whole": {}}"#, "{}",
    ])
    func nullsInListsAndDictionariesAreKept(json: String) throws {
        let holder = try Holder.process(data: Data(json.utf8))
        #expect(try value(body(CreateHolderRequest(holder: holder))) == value(json))
    }

    @Test func nullMembersAreNil() throws {
        let json = #"{"filter": null, "status": null, "filters": null, "byName": null, "whole": null}"#
        let holder = try Holder.process(data: Data(json.utf8))
        #expect(holder.filter == nil && holder.status == nil && holder.filters == nil && holder.whole == nil)
    }

    @Test func variantOfAnUpdateCanSendNull() throws {
        #expect(
            try body(UpdateProfileRequest(id: 1, profile: .person(.init(nickname: .clear))))
                == #"{"kind":"person","nickname":null}"#)
        #expect(try body(UpdateProfileRequest(id: 1, profile: .company(.init()))) == #"{"kind":"company"}"#)
    }

    // MARK: - Files

    @Test func operationWhoseFormHasFilesIsTwoEndpoints() throws {
        #expect(try CreateMessageRequest().httpRequest().headers[.contentType] == "application/json")
        var upload = CreateMessageWithFilesRequest()
        upload.file = FilePart(Data("a".utf8), filename: "a.txt")
        let type = try upload.httpRequest().headers[.contentType]
        #expect(type?.hasPrefix("multipart/form-data") == true)
    }
}
