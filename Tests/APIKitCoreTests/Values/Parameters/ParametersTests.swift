import Foundation
import TestSupport
import Testing

@testable import APIKitCore

@Suite struct ParametersTests {
    @Test func equalParametersAreSentAlike() {
        let text: String? = nil
        let lists: [Parameters] = [
            [:], ["text": text], ["a": 1], ["a": 1, "text": text], ["a": .object([:])], ["a": .object(["text": text])],
        ]
        let bodies = lists.map { try? JSONProbe(parameters: $0).httpRequest().body?.data }
        for (list, body) in zip(lists, bodies) {
            #expect(lists.map { $0 == list } == bodies.map { $0 == body }, "\(list)")
        }
        #expect(Set(bodies).count == 4)
    }

    @Test func keepsOrderAndRepeatedNames() throws {
        var parameters: Parameters = ["b": 1, "a": 2, "b": 3]
        parameters.append("4", for: "a")
        #expect(parameters.map(\.name) == ["b", "a", "b", "a"])
        #expect(parameters.count == 4)
        #expect(try WireProbe(parameters: parameters).queryText() == "b=1&a=2&b=3&a=4")
        #expect(try WireProbe(parameters: ["q": "", "": "x"]).queryText() == "q=&=x")
        #expect(["a": 1, "b": 2] + ["a": 3] as Parameters == ["a": 1, "b": 2, "a": 3])
    }

    @Test func omitsNil() throws {
        let since: Int? = nil, name: String? = nil, date: Date? = nil, page: Int? = 2
        var parameters: Parameters = ["since": since, "name": name, "date": date, "page": page, "none": nil]
        parameters.append(since, for: "since")
        #expect(parameters.map(\.name) == ["page"])
        #expect(try WireProbe(parameters: parameters).queryText() == "page=2")
    }

    @Test func isCreatedFromASequence() {
        let pairs: [(String, any ParameterValue)] = [("a", 1), ("b", "x")]
        #expect(Parameters(pairs) == ["a": 1, "b": "x"])
        #expect(Parameters().isEmpty)
        #expect(Parameters([("a", 1)]).first ?? ("", .null) == ("a", 1.parameterNode))
    }

    @Test func equalityComparesOrderNamesAndTypes() {
        #expect(["a": 1, "b": 2] as Parameters == ["a": 1, "b": 2])
        #expect(["a": 1, "b": 2] as Parameters != ["b": 2, "a": 1])
        #expect(["a": 1] as Parameters != ["a": "1"])
    }

    @Test func overridesDefaultsByName() {
        let own: Parameters = ["page": 2, "v": 3]
        #expect(own.overriding(["v": 1, "key": "k", "v": 2]) == ["key": "k", "page": 2, "v": 3])
        #expect(own.overriding([:]) == own)
        #expect(([:] as Parameters).overriding(["v": 1]) == ["v": 1])
    }

    @Test func aNewValueReplacesTheFirstOfItsNameInPlace() {
        var parameters: Parameters = ["a": 1, "limit": 10, "b": 2, "limit": 30]
        parameters["limit"] = 20
        #expect(parameters == ["a": 1, "limit": 20, "b": 2])
        parameters["limit"] = "all"
        #expect(parameters == ["a": 1, "limit": "all", "b": 2])
    }

    @Test func aValueOfANewNameIsAppended() {
        var parameters: Parameters = ["a": 1]
        parameters["b"] = 2
        #expect(parameters == ["a": 1, "b": 2])
    }

    @Test func nilRemovesAllOfAName() {
        let since: Int? = nil
        var parameters: Parameters = ["a": 1, "b": 2, "a": 3]
        parameters["a"] = since
        #expect(parameters == ["b": 2])
        parameters["b"] = nil
        // An object without members, as a literal with nil is.
        #expect(parameters == ["b": since])
    }

    @Test func nilForANewNameChangesNothing() {
        var parameters = Parameters()
        parameters["a"] = nil
        #expect(parameters == Parameters())
    }

    @Test func aNameReturnsItsFirstValue() {
        let parameters: Parameters = ["a": 1, "b": 2, "a": 3]
        #expect(parameters["a"]?.parameterNode == 1.parameterNode)
        #expect(parameters["c"] == nil)
    }

    @Test func namesAreComparedByTheirBytes() {
        var parameters: Parameters = ["\u{E9}": 1]
        parameters["e\u{301}"] = 2
        #expect(parameters.map(\.name.unicodeScalars.count) == [1, 2])
        #expect(parameters["\u{E9}"]?.parameterNode == 1.parameterNode)
    }

    @Test func findsFilesAtAnyDepth() {
        let file = FilePart(Data(), filename: nil)
        #expect((["a": 1, "b": file] as Parameters).holdsFile)
        #expect((["a": .list([1, .object(["b": .list([file])])])] as Parameters).holdsFile)
        #expect((["a": [file]] as Parameters).holdsFile)
        #expect(!(["a": .list([1, .object(["b": "x"])])] as Parameters).holdsFile)
    }

    @Test func descriptionIsAMaskedQueryOrSaysWhyItCannotBeSent() {
        let parameters: Parameters = [
            "q": "tea & milk", "api_key": "hunter2", "password": "hunter2, hunter2", "page": 2,
        ]
        #expect(parameters.description == "q=tea%20%26%20milk&api_key=***&password=***&page=2")
        let nested: Parameters = [
            "user": ["password": "hunter2"], "api": ["key": "hunter2"], "tokens": ["hunter2", "hunter2"],
        ]
        #expect(!nested.description.contains("hunter2"))
        #expect((["ratio": Double.nan] as Parameters).description.contains("\"ratio\""))
    }
}
