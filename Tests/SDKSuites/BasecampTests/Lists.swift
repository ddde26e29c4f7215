import APIKit
import SuiteSupport

@testable import Basecamp

/// A call of an operation with the arguments of a case.
typealias Call = @Sendable (BasecampClient, ConformanceCase.Arguments) async throws -> Outcome

/// The operations that return a list.
let lists: [String: Call] = [
    "ListProjects": { client, test in
        let page = test.optionalNumber("page").map { Int($0) }
        return try await client.outcome(
            of: ProjectsRequest(page: page), limit: test.optionalNumber("maxItems").map { Int($0) },
            pageLimit: page == nil ? test.optionalNumber("maxPages").map { Int($0) } : 1)
    },
    "GetEverythingCheckins": { client, _ in try await client.outcome(of: EverythingCheckinsRequest()) },
    "GetEverythingComments": { client, _ in try await client.outcome(of: EverythingCommentsRequest()) },
    "GetEverythingCompletedCards": { client, _ in try await client.outcome(of: EverythingCompletedCardsRequest()) },
    "GetEverythingCompletedTodos": { client, _ in try await client.outcome(of: EverythingCompletedTodosRequest()) },
    "GetEverythingFiles": { client, _ in try await client.outcome(of: EverythingFilesRequest()) },
    "GetEverythingForwards": { client, _ in try await client.outcome(of: EverythingForwardsRequest()) },
    "GetEverythingMessages": { client, _ in try await client.outcome(of: EverythingMessagesRequest()) },
    "GetEverythingNoDueDateCards": { client, _ in try await client.outcome(of: CardNoDueDateRequest()) },
    "GetEverythingNoDueDateTodos": { client, _ in try await client.outcome(of: TodoNoDueDateRequest()) },
    "GetEverythingNotNowCards": { client, _ in try await client.outcome(of: EverythingNotNowCardsRequest()) },
    "GetEverythingOpenCards": { client, _ in try await client.outcome(of: EverythingOpenCardsRequest()) },
    "GetEverythingOpenTodos": { client, _ in try await client.outcome(of: EverythingOpenTodosRequest()) },
    "GetEverythingUnassignedCards": { client, _ in try await client.outcome(of: EverythingUnassignedCardsRequest()) },
    "GetEverythingUnassignedTodos": { client, _ in try await client.outcome(of: EverythingUnassignedTodosRequest()) },
    "GetProgressReport": { client, _ in try await client.outcome(of: ProgressReportRequest()) },
    "GetProjectTimeline": { try await $0.outcome(of: ProjectTimelineRequest(projectID: $1.number("projectId"))) },
    "GetProjectTimesheet": { try await $0.outcome(of: ProjectTimesheetRequest(projectID: $1.number("projectId"))) },
    "ListChatbots": {
        try await $0.outcome(of: ChatbotsRequest(bucketID: $1.number("bucketId"), campfireID: $1.number("campfireId")))
    },
    "ListClientApprovals": { try await $0.outcome(of: ClientApprovalsRequest(bucketID: $1.number("bucketId"))) },
    "ListClientCorrespondences": {
        try await $0.outcome(of: ClientCorrespondencesRequest(bucketID: $1.number("bucketId")))
    },
    "ListClientReplies": {
        try await $0.outcome(
            of: ClientRepliesRequest(bucketID: $1.number("bucketId"), recordingID: $1.number("recordingId")))
    },
    "ListForwards": { try await $0.outcome(of: ForwardsRequest(inboxID: $1.number("inboxId"))) },
    "ListMyBookmarks": { client, _ in try await client.outcome(of: MyBookmarksRequest()) },
    "ListMyDrafts": { client, _ in try await client.outcome(of: MyDraftsRequest()) },
    "ListTodolistGroups": { try await $0.outcome(of: TodolistGroupsRequest(todolistID: $1.number("todolistId"))) },
    "ListTodos": { try await $0.outcome(of: TodosRequest(todolistID: $1.number("todolistId"))) },
    "ListUploadVersions": { try await $0.outcome(of: UploadVersionsRequest(uploadID: $1.number("uploadId"))) },
    "ListWebhooks": { try await $0.outcome(of: WebhooksRequest(bucketID: $1.number("bucketId"))) },
    "Search": { client, _ in try await client.outcome(of: SearchRequest(q: "Leto")) },
]
