import Foundation
import Testing

@testable import APIKitTools

/// What is written for webhooks and callbacks, and for parts of a response that are not translated.
@Suite struct WebhookTests {
    private static let head = #"{"openapi": "3.1.0", "info": {"title": "Test"}, "#

    private func files(_ description: String, only: [String] = []) throws -> [String: String] {
        let plan = try TemporaryFolder().plan(Self.head + description + "}")
        let files = try SourceWriter(plan: plan, filter: Filter(only)).files()
        return Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0.text) })
    }

    private func message(_ schema: String) -> String {
        #"{"post": {"requestBody": {"content": {"application/json": {"schema": \#(schema)}}}}}"#
    }

    private static let object = #"{"type": "object", "properties": {"user_id": {"type": "integer"}}}"#

    @Test(arguments: ["webhooks", "x-webhooks"])
    func descriptionMayHaveOnlyWebhooks(key: String) throws {
        let description = #""\#(key)": {"user.created": \#(message(Self.object))}"#
        let files = try files(description)
        #expect(Array(files.keys) == ["Webhooks/UserCreatedEvent.swift"])
        #expect(files.values.first?.contains("struct UserCreatedEvent: JSONResponse {") == true)

        let folder = try TemporaryFolder()
        let file = try folder.write(Self.head + description + "}", to: "api.json")
        let summary = try Generation(name: "Test").run(file, into: folder.url.appending(path: "Test"))
        #expect(summary.written == 0 && summary.webhooks == 1)
        #expect(summary.files == ["created": 1])
        #expect(summary.notes.isEmpty)
    }

    @Test(
        arguments: [
            ("orderShipped", "OrderShippedEvent"), ("order.shipped", "OrderShippedEvent"), ("newEvent", "NewEvent"),
            ("order-webhook", "OrderEvent"), ("webhook", "WebhookEvent"), ("pay.notification", "PayNotification"),
            ("../../etc", "EtcEvent"), ("404", "_404Event"), ("-", "Event"),
        ] as [(String, String)])
    func typesAreNamedAfterTheirWebhooks(name: String, type: String) throws {
        let files = try files(#""webhooks": {"\#(name)": \#(message(Self.object))}"#)
        #expect(Array(files.keys) == ["Webhooks/\(type).swift"])
        #expect(files.values.first?.contains("struct \(type): ") == true)
    }

    private func callbacks(_ schemas: String...) -> String {
        let paths = schemas.enumerated().map { index, schema in
            let callback = #"{"sent": {"{$request.query.url}": \#(message(schema))}}"#
            return #""/\#(index)": {"post": {"operationId": "start\#(index)", "callbacks": \#(callback)}}"#
        }
        return #""paths": {\#(paths.joined(separator: ", "))}"#
    }

    @Test func callbacksOfOneNameAreDistinguishedByTheirOperations() throws {
        let other = #"{"type": "object", "properties": {"text": {"type": "string"}}}"#
        let files = try files(callbacks(Self.object, other))
        #expect(files["Webhooks/SentEvent.swift"]?.contains("let userID: Int?") == true)
        #expect(files["Webhooks/Start1SentEvent.swift"]?.contains("let text: String?") == true)
    }

    @Test func equalCallbacksAreOneType() throws {
        let reference = ##"{"$ref": "#/components/schemas/User"}"##
        let components = #""components": {"schemas": {"User": \#(Self.object)}}"#
        let files = try files("\(callbacks(reference, reference)), \(components)")
        #expect(files.keys.filter { $0.hasPrefix("Webhooks") } == ["Webhooks/SentEvent.swift"])
        #expect(files["Webhooks/SentEvent.swift"]?.contains("struct SentEvent: JSONResponse {") == true)
    }

    @Test func modelWithTheNameOfItsWebhookIsNotDeclaredTwice() throws {
        let reference = ##"{"$ref": "#/components/schemas/UserEvent"}"##
        let files = try files(
            #""webhooks": {"user": \#(message(reference)), "other": \#(message(reference))}, "#
                + #""components": {"schemas": {"UserEvent": \#(Self.object)}}"#)
        #expect(files.keys.sorted() == ["Models/UserEvent.swift", "Webhooks/OtherEvent.swift"])
        #expect(files["Webhooks/OtherEvent.swift"]?.contains("typealias OtherEvent = UserEvent") == true)
    }

    @Test func momentsAreReadAsTheExampleOfAPayloadShowsThem() throws {
        let schema = #"{"properties": {"at": {"type": "string", "format": "date-time"}}}"#
        let content = #"{"application/json": {"schema": \#(schema), "example": {"at": "2026-11-20T18:30:00"}}}"#
        let files = try files(#""webhooks": {"a": {"post": {"requestBody": {"content": \#(content)}}}}"#)
        #expect(files["Webhooks/AEvent.swift"]?.contains("let at: String?") == true)
    }

    @Test func onlyWritesTheChosenWebhooks() throws {
        let description = #""webhooks": {"first": \#(message(Self.object)), "second": \#(message(Self.object))}"#
        #expect(try files(description, only: ["second"]).keys.sorted() == ["Webhooks/SecondEvent.swift"])
        #expect(try files(description, only: ["webhooks"]).count == 2)
        #expect(try files(description, only: ["/a"]).isEmpty)
    }

    @Test func brokenWebhookIsSkipped() throws {
        let broken = message(##"{"$ref": "#/nowhere"}"##)
        let plan = try TemporaryFolder().plan(
            Self.head + #""webhooks": {"first": \#(broken), "second": \#(message(Self.object))}}"#)
        #expect(plan.webhooks.map(\.name) == ["SecondEvent"])
        #expect(plan.api.notes.map(\.text) == ["webhook first: the reference #/nowhere leads nowhere"])
    }

    @Test func partsThatAreNotTranslatedAreCounted() throws {
        let headers = #""headers": {"X-A": {}, "X-B": {}, "Link": {}, "Retry-After": {}}"#
        let response = #"{"description": "", \#(headers), "links": {"self": {}}}"#
        let form = #"{"post": {"requestBody": {"content": {"text/plain": {}}}}}"#
        let callbacks = #""callbacks": {"a": {"b": \#(form)}}"#
        let operation = #"{"responses": {"200": \#(response), "404": \#(response)}, \#(callbacks)}"#
        let plan = try TemporaryFolder().plan(ErrorTests.head + #""paths": {"/a": {"get": \#(operation)}}}"#)
        let notes = Set(plan.api.notes.filter { $0.kind == .skipped }.map(\.text))
        #expect(
            notes.sorted() == [
                "links of a response", "response header x-a: read it from the reply",
                "response header x-b: read it from the reply", "webhooks and callbacks without JSON (1)",
            ])
    }

    @Test func callbackThatLeadsNowhereIsSkippedWithANote() throws {
        let operation = ##"{"callbacks": {"sent": {"$ref": "#/components/callbacks/none"}}, "responses": {"204": {}}}"##
        let plan = try TemporaryFolder().plan(Self.head + ##""paths": {"/a": {"post": \##(operation)}}}"##)
        let notes = plan.api.notes.map(\.text).filter { $0.hasPrefix("callback") }
        #expect(notes == ["callback sent: the reference #/components/callbacks/none leads nowhere"])
    }
}
