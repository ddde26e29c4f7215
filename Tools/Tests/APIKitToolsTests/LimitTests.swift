import Foundation
import OpenAPIRules
import Testing

@testable import APIKitTools

/// Descriptions that are small and would need much time or memory, and those that are large.
@Suite(.serialized) struct LimitTests {
    /// The processor time that this thread needs for some work.
    private func time(_ work: () throws -> Void) rethrows -> Duration {
        func now() -> Duration {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
        let start = now()
        try work()
        return now() - start
    }

    /// How many times longer four times the input takes, at best: 4 if the time is linear, and 16 if it grows with the
    /// square.
    private func growth(_ work: (_ factor: Int) throws -> Void) rethrows -> Double {
        var best = Double.infinity
        for _ in 0..<3 where best > 6 {
            let small = try time { try work(1) }
            let large = try time { try work(4) }
            best = min(best, large / small)
        }
        return best
    }

    private func description(_ schemas: String) -> String {
        TemporaryFolder.description(schema: ##"{"$ref": "#/components/schemas/a0"}"##, components: "{\(schemas)}")
    }

    private func notes(_ description: String) throws -> [String] {
        try TemporaryFolder().plan(description).api.notes.map(\.text)
    }

    // MARK: - Schemas

    @Test func schemaThatIsPartOfAnAllOfInManyWaysIsReadOnce() throws {
        // Each level names the next one twice: 2^50 ways to the last one.
        let levels = (0..<50).map { level in
            let next = ##"{"$ref": "#/components/schemas/a\##(level + 1)"}"##
            return ##""a\##(level)": {"allOf": [\##(next), \##(next), {"properties": {"m\##(level)": {}}}]}"##
        }
        let plan = try TemporaryFolder().plan(
            description(levels.joined(separator: ",") + #", "a50": {"properties": {"last": {"type": "string"}}}"#))
        let id = try #require(plan.endpoints.first?.responseModel)
        #expect(plan.api.models[id]?.object?.members.count == 51)
    }

    @Test func baseOfManyChildrenIsAnObject() throws {
        let base = ##""a0": {"properties": {"kind": {"type": "string"}}, "discriminator": {"propertyName": "kind"}}"##
        let children = (1...501).map { ##""a\##($0)": {"allOf": [{"$ref": "#/components/schemas/a0"}]}"## }
        let plan = try TemporaryFolder().plan(description(([base] + children).joined(separator: ",")))
        #expect(plan.api.notes.map(\.text).contains("the 501 children of an object are not generated"))
        let id = try #require(plan.endpoints.first?.responseModel)
        #expect(plan.api.models[id]?.object?.members.count == 1)
    }

    @Test func basesInALongChainAreReadInReasonableTime() throws {
        func chain(_ count: Int) -> String {
            let schemas = (0..<count).map { level in
                // Each is a part of the next ones, so that most of them have many children.
                let parts = (max(0, level - 5)..<level).map { ##"{"$ref": "#/components/schemas/a\##($0)"}"## }
                let next = level + 1 < count ? level + 1 : level
                let members = ##""kind": {"type": "string"}, "next": {"$ref": "#/components/schemas/a\##(next)"}"##
                return #""a\#(level)": {"allOf": [\#(parts.joined(separator: ","))], "properties": {\#(members)}, "#
                    + #""discriminator": {"propertyName": "kind"}}"#
            }
            return description(schemas.joined(separator: ","))
        }
        let seconds = try time { _ = try TemporaryFolder().plan(chain(50)) }
        #expect(seconds < .seconds(20))
    }

    @Test func basesThatExtendOneAnotherAreFoundInReasonableTime() throws {
        let base = ##""a0": {"properties": {"kind": {}}, "discriminator": {"propertyName": "kind"}}"##
        let children = (1..<1_500).map { level in
            ##""a\##(level)": {"allOf": [{"$ref": "#/components/schemas/a\##(level - 1)"}], "##
                + #""discriminator": {"propertyName": "kind"}}"#
        }
        let description = description(([base] + children).joined(separator: ","))
        // The chain itself is too deep, so nothing is generated.
        let seconds = try time { _ = try TemporaryFolder().plan(description) }
        #expect(seconds < .seconds(4))
    }

    /// A description with three failures, whose objects contain each other.
    private func failures(_ count: Int) -> String {
        let schemas = (0..<count).map { number in
            let members = [number * 7 + 1, number * 3 + 2, number * 5 + 3].enumerated().map { index, other in
                ##""m\##(index)": {"$ref": "#/components/schemas/e\##(other % count)"}"##
            }
            return #""e\#(number)": {"properties": {"own\#(number)": {}, \#(members.joined(separator: ","))}}"#
        }
        let responses = (0..<3).map { number in
            let schema = ##"{"$ref": "#/components/schemas/e\##(number)"}"##
            return #""40\#(number)": {"content": {"application/json": {"schema": \#(schema)}}}"#
        }
        return ErrorTests.head + #""components": {"schemas": {\#(schemas.joined(separator: ","))}}, "#
            + #""paths": {"/a": {"get": {"responses": {"204": {}, \#(responses.joined(separator: ","))}}}}}"#
    }

    @Test(arguments: [4, 40])
    func failuresThatContainEachOtherAreMergedInReasonableTime(count: Int) throws {
        let seconds = try time { _ = try TemporaryFolder().plan(failures(count)) }
        #expect(seconds < .seconds(20))
    }

    @Test func failureThatContainsOthersOfItsKindContainsItself() throws {
        func object(_ own: String, _ inner: String) -> String {
            ##"{"properties": {"\##(own)": {}, "inner": {"$ref": "#/components/schemas/\##(inner)"}}}"##
        }
        let responses = ["a0", "a1"].enumerated().map { index, name in
            let schema = ##"{"$ref": "#/components/schemas/\##(name)"}"##
            return #""40\#(index)": {"content": {"application/json": {"schema": \#(schema)}}}"#
        }
        let files = try TemporaryFolder().files(
            ErrorTests.head
                + #""components": {"schemas": {"a0": \#(object("x", "a1")), "a1": \#(object("y", "a0"))}}, "#
                + #""paths": {"/a": {"get": {"responses": {"204": {}, \#(responses.joined(separator: ","))}}}}}"#)
        let code = try #require(files.first { $0.path == "Models/TestError.swift" }).text
        #expect(code.contains("let inner: Indirect<TestError>?\n"))
        #expect(code.matches(of: /struct\s/).count == 1)
    }

    @Test func timeForCredentialsGrowsWithTheirNumber() throws {
        let growth = try growth { factor in
            let numbers = 0..<(40 * factor)
            let schemes = numbers.map { number in
                let flow = #"{"tokenUrl": "https://a\#(number).example/token", "scopes": {"s\#(number)": ""}}"#
                return #""k\#(number)": {"type": "oauth2", "flows": {"password": \#(flow)}}"#
            }
            let paths = numbers.map { #""/a\#($0)": {"get": {"security": [{"k\#($0)": []}]}}"# }
            let description =
                ErrorTests.head + #""components": {"securitySchemes": {\#(schemes.joined(separator: ","))}}, "#
                + #""paths": {\#(paths.joined(separator: ","))}}"#
            _ = try TemporaryFolder().files(description)
        }
        #expect(growth < 9)
    }

    @Test func lastPartOfAnAllOfSaysMost() throws {
        let schemas = ##"""
            "a0": {"allOf": [{"$ref": "#/components/schemas/b"}, {"$ref": "#/components/schemas/c"},
            {"$ref": "#/components/schemas/b"}]},
            "b": {"properties": {"x": {"type": "string"}}}, "c": {"properties": {"x": {"type": "boolean"}}}
            """##
        let plan = try TemporaryFolder().plan(description(schemas))
        let id = try #require(plan.endpoints.first?.responseModel)
        #expect(plan.api.models[id]?.object?.members["x"]?.schema.isString == true)
    }

    @Test func unionOfTooManyVariantsIsAnyJSON() throws {
        let variants = (0..<5000).map { #"{"properties": {"m\#($0)": {"type": "string"}}}"# }
        let found = try notes(description(#""a0": {"oneOf": [\#(variants.joined(separator: ","))]}"#))
        #expect(found.contains("a union of 5000 variants is any JSON"))
    }

    @Test func enumOfTooManyTextsIsAString() throws {
        let texts = (0..<10_001).map { #""v\#($0)""# }
        let found = try notes(description(#""a0": {"type": "string", "enum": [\#(texts.joined(separator: ","))]}"#))
        #expect(found.contains("an enum of 10001 values is not generated"))
    }

    @Test func namesOfMembersTakeTimeInProportion() throws {
        let growth = try growth { factor in
            let members = (0..<200 * factor).map { #""member_\#($0)": {"type": "string"}"# }
            _ = try TemporaryFolder().files(description(#""a0": {"properties": {\#(members.joined(separator: ","))}}"#))
        }
        #expect(growth < 8)
    }

    // MARK: - Operations

    @Test func operationsTakeTimeInProportion() throws {
        let growth = try growth { factor in
            let paths = (0..<50 * factor).map { #""/things\#($0)/{id}/items": {"get": {"tags": ["t\#($0)"]}}"# }
            _ = try TemporaryFolder().files(ErrorTests.head + #""paths": {\#(paths.joined(separator: ","))}}"#)
        }
        #expect(growth < 8)
    }

    @Test(arguments: [true, false])
    func operationWithTooManyParametersIsSkipped(isInPath: Bool) throws {
        let names = (0..<501).map { "p\($0)" }
        let path = isInPath ? names.map { "/{\($0)}" }.joined() : "/a"
        let parameters = names.map { #"{"name": "\#($0)", "in": "query", "schema": {"type": "string"}}"# }
        let list = isInPath ? "" : parameters.joined(separator: ",")
        let plan = try TemporaryFolder().plan(
            ErrorTests.head + #""paths": {"\#(path)": {"get": {"parameters": [\#(list)]}}, "/b": {"get": {}}}}"#)
        #expect(plan.endpoints.map(\.endpoint.path) == ["/b"])
        #expect(plan.api.notes.contains { $0.kind == .skipped && $0.text.hasSuffix("parameters") })
    }

    // MARK: - Texts

    @Test(arguments: ["[", "(", "[a](", "![", "*a", "_a", "<a", "`", "a. "])
    func proseIsReadInBoundedTime(part: String) {
        // Half a second for each regular expression that goes back, at 2,000 characters.
        let text = String(repeating: part, count: 200_000)
        let short = String(repeating: part, count: 10_000)
        let growth = growth { factor in _ = Documentation.summary(factor == 1 ? short : text) }
        // Twenty times the text, of which no more is read.
        #expect(growth < 8)
    }

    @Test(
        arguments: [
            ("See [a [b](https://c.example) now.", "See a [b now."), ("An ![icon](x.png) here.", "An icon here."),
            ("A [x] and [y](z.", "A [x] and [y](z."), ("Two [a](b)[c](d) links.", "Two ac links."),
        ] as [(String, String)])
    func linksAreTheirTexts(text: String, plain: String) {
        #expect(Prose.sentences(of: text) == [plain])
    }

    // MARK: - Names

    @Test func namesThatAreTheSameButForTheirNumbersAreFoundInFewSteps() {
        var taken: Set<String> = []
        var names: [String] = []
        let growth = growth { factor in
            taken = []
            names = (0..<500 * factor).map { _ in SwiftName.unique("a", in: &taken) }
        }
        #expect(growth < 8)
        #expect(names == ["a"] + (2...2000).map { "a\($0)" })
    }

    @Test func longNamesAreCutAndDiffer() throws {
        let long = String(repeating: "a", count: 300)
        let word = String(repeating: "語", count: 200)
        let get = { (name: String, tag: String) in
            ##"""
            {"get": {"operationId": "get_\##(name)", "tags": ["\##(tag)"], "responses": {"200": {"content":
            {"application/json": {"schema": {"$ref": "#/components/schemas/\##(name)"}}}}}}}
            """##
        }
        let schema = ##"{"type": "object", "properties": {"id": {"type": "string"}}}"##
        let names = ["\(long)1", "\(long)2", "\(word)1"]
        let schemas = names.map { #""\#($0)": \#(schema)"# }.joined(separator: ",")
        let paths = names.map { #""/\#($0)": \#(get($0, $0))"# }.joined(separator: ",")
        let folder = try TemporaryFolder()
        let files = try folder.files(
            ErrorTests.head + #""components": {"schemas": {\#(schemas)}}, "paths": {\#(paths)}}"#)
        #expect(files.count == 4)
        #expect(Set(files.map { $0.path.lowercased() }).count == files.count)
        #expect(files.flatMap { $0.path.split(separator: "/") }.allSatisfy { $0.utf8.count < 250 })
        let output = OutputFolder(folder.url.appending(path: "out"))
        let outcomes = try output.write(files, removesOthers: true, .report)
        #expect(outcomes.allSatisfy { $0 == .created })
    }

    // MARK: - YAML

    @Test func aliasesOfAliasesEnd() {
        let lines = (1..<30).map { "a\($0): &a\($0) [*a\($0 - 1), *a\($0 - 1), *a\($0 - 1)]" }
        let text = (["a0: &a0 [x]"] + lines).joined(separator: "\n")
        let error = #expect(throws: DescriptionError.self) {
            try YAMLParser.parse(text, file: "a.yaml", aliased: 10_000)
        }
        #expect(error?.message == "the file has too many values by its aliases")
    }

    @Test func fileWithoutAliasesMayHaveAnyNumberOfValues() throws {
        let text = "[" + String(repeating: "1,", count: 1000) + "1]"
        let node = try YAMLParser.parse(text, file: "a.yaml", aliased: 0)
        #expect(node == Node(.list(Array(repeating: Node(.number("1")), count: 1001))))
    }
}
