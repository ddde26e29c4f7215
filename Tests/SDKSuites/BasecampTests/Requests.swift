import APIKit
import SuiteSupport

@testable import Basecamp

/// The requests of the operations that return one model or nothing.
let requests: [String: @Sendable (ConformanceCase.Arguments) -> any BasecampRequest] = [
    "CompleteTodo": { CompleteTodoRequest(todoID: $0.number("todoId")) },
    "CreateBookmark": { CreateBookmarkRequest(recordingID: $0.number("recordingId")) },
    "CreateChatbot": {
        CreateChatbotRequest(
            bucketID: $0.number("bucketId"), campfireID: $0.number("campfireId"), serviceName: $0.text("service_name"),
            commandURL: $0.optionalText("command_url"))
    },
    "CreateFolder": { CreateFolderRequest(name: $0.optionalText("name"), projectIDs: $0.numbers("project_ids")) },
    "CreateProject": { CreateProjectRequest(name: $0.text("name")) },
    "CreateScheduleEntry": {
        CreateScheduleEntryRequest(
            scheduleID: $0.number("scheduleId"), summary: $0.text("summary"), endsAt: $0.text("ends_at"),
            startsAt: $0.text("starts_at"), status: $0.optionalText("status"), allDay: $0.flag("all_day"),
            highlighted: $0.flag("highlighted"), url: $0.optionalText("url"))
    },
    "CreateTodo": {
        CreateTodoRequest(
            todolistID: $0.number("todolistId"), content: $0.text("content"), dueOn: $0.optionalText("due_on"))
    },
    "CreateTodosetTodo": {
        CreateTodosetTodoRequest(
            bucketID: $0.number("bucketId"), todosetID: $0.number("todosetId"), content: $0.text("content"))
    },
    "CreateTool": {
        CreateToolRequest(
            bucketID: $0.number("bucketId"), toolType: $0.text("tool_type"), title: $0.optionalText("title"))
    },
    "CreateUploadVersion": {
        CreateUploadVersionRequest(
            uploadID: $0.number("uploadId"), attachableSgid: $0.text("attachable_sgid"),
            description: $0.optionalText("description"), baseName: $0.optionalText("base_name"))
    },
    "CreateWebhook": {
        CreateWebhookRequest(
            bucketID: $0.number("bucketId"), types: $0.texts("types") ?? [], payloadURL: $0.text("payload_url"))
    },
    "DeleteBookmark": { DeleteBookmarkRequest(recordingID: $0.number("recordingId")) },
    "DeleteChatbot": {
        DeleteChatbotRequest(
            bucketID: $0.number("bucketId"), campfireID: $0.number("campfireId"), chatbotID: $0.number("chatbotId"))
    },
    "DeleteFolder": { DeleteFolderRequest(folderID: $0.number("folderId")) },
    "DeprioritizeAssignment": { DeprioritizeAssignmentRequest(recordingID: $0.number("recordingId")) },
    "DestroyTimesheetEntry": { DestroyTimesheetEntryRequest(id: $0.number("entryId")) },
    "EnableTool": { EnableToolRequest(toolID: $0.number("toolId")) },
    "GetBookmark": { BookmarkRequest(recordingID: $0.number("recordingId")) },
    "GetCalendar": { CalendarRequest(id: $0.number("calendarId")) },
    "GetChatbot": {
        ChatbotRequest(
            bucketID: $0.number("bucketId"), campfireID: $0.number("campfireId"), chatbotID: $0.number("chatbotId"))
    },
    "GetClientReply": {
        ClientReplyRequest(
            bucketID: $0.number("bucketId"), recordingID: $0.number("recordingId"), id: $0.number("replyId"))
    },
    "GetEverythingOverdueCards": { _ in EverythingOverdueCardsRequest() },
    "GetEverythingOverdueTodos": { _ in EverythingOverdueTodosRequest() },
    "GetFolder": { FolderRequest(folderID: $0.number("folderId")) },
    "GetPersonProgress": { PersonProgressRequest(personID: $0.number("personId")) },
    "GetMyNote": { _ in MyNoteRequest() },
    "GetProject": { ProjectRequest(id: $0.number("projectId")) },
    "GetTimesheetEntry": { TimesheetEntryRequest(id: $0.number("entryId")) },
    "GetTodolistOrGroup": { TodolistOrGroupRequest(id: $0.number("id")) },
    "GetTool": { ToolRequest(id: $0.number("toolId")) },
    // The cases do not say for which days.
    "GetUpcomingSchedule": { _ in UpcomingScheduleRequest(windowEndsOn: "2026-06-30", windowStartsOn: "2026-06-01") },
    "ListFolders": { _ in FoldersRequest() },
    "PrioritizeAssignment": { PrioritizeAssignmentRequest(id: $0.number("id")) },
    "ReorderUpNext": { ReorderUpNextRequest(position: Int($0.number("position")), sourceID: $0.number("source_id")) },
    "ReplaceDocument": { ReplaceDocumentRequest(id: $0.number("documentId"), title: $0.optionalText("title")) },
    "ReplaceScheduleEntry": {
        ReplaceScheduleEntryRequest(
            id: $0.number("entryId"), endsAt: $0.text("ends_at"), startsAt: $0.text("starts_at"),
            description: $0.optionalText("description"), summary: $0.optionalText("summary"),
            allDay: $0.flag("all_day"), highlighted: $0.flag("highlighted"),
            participantIDs: $0.numbers("participant_ids"), url: $0.optionalText("url"))
    },
    "ReplaceTodo": { ReplaceTodoRequest(id: $0.number("todoId"), content: $0.text("content")) },
    "ReplaceTodolist": {
        UpdateTodolistOrGroupRequest(
            id: $0.number("id"), name: $0.text("name"), description: $0.optionalText("description"))
    },
    "RepositionTodolistGroup": {
        RepositionTodolistGroupRequest(groupID: $0.number("groupId"), position: Int($0.number("position")))
    },
    "Subscribe": { SubscribeRequest(recordingID: $0.number("recordingId")) },
    "TrashProject": { TrashProjectRequest(id: $0.number("projectId")) },
    "UpdateCalendar": {
        UpdateCalendarRequest(id: $0.number("calendarId"), color: $0["calendar"]?["color"]?.string ?? "")
    },
    "UpdateCard": {
        UpdateCardRequest(
            id: $0.number("cardId"), title: $0.optionalText("title"), content: $0.optionalText("content"),
            assigneeIDs: $0.numbers("assignee_ids"), dueOn: $0.optionalText("due_on"))
    },
    "UpdateCardVerbatim": {
        UpdateCardRequest(
            id: $0.number("cardId"), title: $0.optionalText("title"), content: $0.optionalText("content"),
            assigneeIDs: $0.numbers("assignee_ids"), dueOn: $0.optionalText("due_on"))
    },
    "UpdateChatbot": {
        UpdateChatbotRequest(
            bucketID: $0.number("bucketId"), campfireID: $0.number("campfireId"), chatbotID: $0.number("chatbotId"),
            serviceName: $0.text("service_name"), commandURL: $0.optionalText("command_url"))
    },
    "UpdateFolder": { UpdateFolderRequest(folderID: $0.number("folderId"), name: $0.text("name")) },
    "UpdateMyNote": { UpdateMyNoteRequest(content: $0["note"]?["content"]?.string ?? "") },
    "UpdateProject": { UpdateProjectRequest(id: $0.number("projectId"), name: $0.text("name")) },
    "UpdateTimesheetEntry": { UpdateTimesheetEntryRequest(id: $0.number("entryId"), hours: $0.optionalText("hours")) },
    "UpdateUpload": {
        UpdateUploadRequest(
            id: $0.number("uploadId"), description: $0.optionalText("description"),
            baseName: $0.optionalText("base_name"))
    },
]
