import APIKit
import SuiteSupport

@testable import Basecamp

/// A call of an operation with the arguments of a case.
typealias Call = @Sendable (BasecampClient, ConformanceCase.Arguments) async throws -> Outcome

/// The operations that return a list.
let lists: [String: Call] = [
    "ListProjects": { client, test in
        let page = test.optionalNumber("page").map { Int($0) }
        let pageLimit = page == nil ? test.optionalNumber("maxPages").map { Int($0) } : 1
        let projects = client.client.items(of: ProjectsRequest(page: page), pageLimit: pageLimit)
        return Outcome(try await projects.list(limit: test.optionalNumber("maxItems").map { Int($0) }))
    },
    "GetEverythingCheckins": { client, _ in Outcome(try await client.everything.listCheckins()) },
    "GetEverythingComments": { client, _ in Outcome(try await client.everything.listComments()) },
    "GetEverythingCompletedCards": { client, _ in Outcome(try await client.everything.listCompletedCards()) },
    "GetEverythingCompletedTodos": { client, _ in Outcome(try await client.everything.listCompletedTodos()) },
    "GetEverythingFiles": { client, _ in Outcome(try await client.everything.listFiles()) },
    "GetEverythingForwards": { client, _ in Outcome(try await client.everything.listForwards()) },
    "GetEverythingMessages": { client, _ in Outcome(try await client.everything.listMessages()) },
    "GetEverythingNoDueDateCards": { client, _ in Outcome(try await client.everything.listNoDueDateCards()) },
    "GetEverythingNoDueDateTodos": { client, _ in Outcome(try await client.everything.listNoDueDateTodos()) },
    "GetEverythingNotNowCards": { client, _ in Outcome(try await client.everything.listNotNowCards()) },
    "GetEverythingOpenCards": { client, _ in Outcome(try await client.everything.listOpenCards()) },
    "GetEverythingOpenTodos": { client, _ in Outcome(try await client.everything.listOpenTodos()) },
    "GetEverythingUnassignedCards": { client, _ in Outcome(try await client.everything.listUnassignedCards()) },
    "GetEverythingUnassignedTodos": { client, _ in Outcome(try await client.everything.listUnassignedTodos()) },
    "GetProgressReport": { client, _ in Outcome(try await client.reports.listProgressReport()) },
    "GetProjectTimeline": { Outcome(try await $0.projects.listTimeline(projectID: $1.number("projectId"))) },
    "GetProjectTimesheet": { Outcome(try await $0.schedule.listProjectTimesheet(projectID: $1.number("projectId"))) },
    "ListChatbots": {
        Outcome(
            try await $0.campfire.listChatbots(bucketID: $1.number("bucketId"), campfireID: $1.number("campfireId")))
    },
    "ListClientApprovals": {
        Outcome(try await $0.clientFeatures.listClientApprovals(bucketID: $1.number("bucketId")))
    },
    "ListClientCorrespondences": {
        Outcome(try await $0.clientFeatures.listClientCorrespondences(bucketID: $1.number("bucketId")))
    },
    "ListClientReplies": {
        Outcome(
            try await $0.clientFeatures.listClientReplies(
                bucketID: $1.number("bucketId"), recordingID: $1.number("recordingId")))
    },
    "ListForwards": { Outcome(try await $0.forwards.list(inboxID: $1.number("inboxId"))) },
    "ListMyBookmarks": { client, _ in Outcome(try await client.bookmarks.list()) },
    "ListMyDrafts": { client, _ in Outcome(try await client.drafts.list()) },
    "ListTodolistGroups": { Outcome(try await $0.todos.listTodolistGroups(todolistID: $1.number("todolistId"))) },
    "ListTodos": { Outcome(try await $0.todos.list(todolistID: $1.number("todolistId"))) },
    "ListUploadVersions": { Outcome(try await $0.files.listUploadVersions(uploadID: $1.number("uploadId"))) },
    "ListWebhooks": { Outcome(try await $0.automation.listWebhooks(bucketID: $1.number("bucketId"))) },
    "Search": { client, _ in Outcome(try await client.automation.search(q: "Leto")) },
]

extension Outcome {
    /// The outcome of a call that returned a list.
    fileprivate init<Item: Encodable>(_ list: ItemList<Item>) {
        // A total that the API does not report is nil here, and 0 in the suite.
        let meta: [String: JSONValue] = [
            "totalCount": .number(.init(list.total ?? 0)), "truncated": .bool(list.hasMore),
        ]
        self.init(meta: meta, result: summary(of: JSONValue(encoded: list.items)?.array ?? []))
    }
}
