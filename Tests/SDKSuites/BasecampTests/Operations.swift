import APIKit
import Basecamp
import SuiteSupport

/// The operations that return one model or nothing.
let operations: [String: @Sendable (BasecampClient, ConformanceCase.Arguments) async throws -> Any] = [
    "CompleteTodo": { try await $0.todos.complete(todoID: $1.number("todoId")) },
    "CreateBookmark": { try await $0.bookmarks.create(recordingID: $1.number("recordingId")) },
    "CreateChatbot": {
        try await $0.campfire.createChatbot(
            bucketID: $1.number("bucketId"), campfireID: $1.number("campfireId"), serviceName: $1.text("service_name"),
            commandURL: $1.optionalText("command_url"))
    },
    "CreateFolder": {
        try await $0.folders.create(name: $1.optionalText("name"), projectIDs: $1.numbers("project_ids"))
    },
    "CreateProject": { try await $0.projects.create(name: $1.text("name")) },
    "CreateScheduleEntry": {
        try await $0.schedule.createEntry(
            scheduleID: $1.number("scheduleId"), summary: $1.text("summary"), endsAt: $1.text("ends_at"),
            startsAt: $1.text("starts_at"), status: $1.optionalText("status"), allDay: $1.flag("all_day"),
            highlighted: $1.flag("highlighted"), url: $1.optionalText("url"))
    },
    "CreateTodo": {
        try await $0.todos.create(
            todolistID: $1.number("todolistId"), content: $1.text("content"), dueOn: $1.optionalText("due_on"))
    },
    "CreateTodosetTodo": {
        try await $0.todos.createTodosetTodo(
            bucketID: $1.number("bucketId"), todosetID: $1.number("todosetId"), content: $1.text("content"))
    },
    "CreateTool": {
        try await $0.automation.createTool(
            bucketID: $1.number("bucketId"), toolType: $1.text("tool_type"), title: $1.optionalText("title"))
    },
    "CreateUploadVersion": {
        try await $0.files.createUploadVersion(
            uploadID: $1.number("uploadId"), attachableSgid: $1.text("attachable_sgid"),
            description: $1.optionalText("description"), baseName: $1.optionalText("base_name"))
    },
    "CreateWebhook": {
        try await $0.automation.createWebhook(
            bucketID: $1.number("bucketId"), types: $1.texts("types") ?? [], payloadURL: $1.text("payload_url"))
    },
    "DeleteBookmark": { try await $0.bookmarks.delete(recordingID: $1.number("recordingId")) },
    "DeleteChatbot": {
        try await $0.campfire.deleteChatbot(
            bucketID: $1.number("bucketId"), campfireID: $1.number("campfireId"), chatbotID: $1.number("chatbotId"))
    },
    "DeleteFolder": { try await $0.folders.delete(folderID: $1.number("folderId")) },
    "DeprioritizeAssignment": {
        try await $0.myAssignments.deprioritizeAssignment(recordingID: $1.number("recordingId"))
    },
    "DestroyTimesheetEntry": { try await $0.schedule.destroyTimesheetEntry(id: $1.number("entryId")) },
    "EnableTool": { try await $0.automation.enableTool(toolID: $1.number("toolId")) },
    "GetBookmark": { try await $0.bookmarks.get(recordingID: $1.number("recordingId")) },
    "GetCalendar": { try await $0.calendars.get(id: $1.number("calendarId")) },
    "GetChatbot": {
        try await $0.campfire.getChatbot(
            bucketID: $1.number("bucketId"), campfireID: $1.number("campfireId"), chatbotID: $1.number("chatbotId"))
    },
    "GetClientReply": {
        try await $0.clientFeatures.getClientReply(
            bucketID: $1.number("bucketId"), recordingID: $1.number("recordingId"), id: $1.number("replyId"))
    },
    "GetEverythingOverdueCards": { client, _ in try await client.everything.listOverdueCards() },
    "GetEverythingOverdueTodos": { client, _ in try await client.everything.listOverdueTodos() },
    "GetFolder": { try await $0.folders.get(folderID: $1.number("folderId")) },
    "GetMyNote": { client, _ in try await client.myNotes.get() },
    "GetPersonProgress": { try await $0.reports.listPersonProgress(personID: $1.number("personId")) },
    "GetProject": { try await $0.projects.get(id: $1.number("projectId")) },
    "GetTimesheetEntry": { try await $0.schedule.getTimesheetEntry(id: $1.number("entryId")) },
    "GetTodolistOrGroup": { try await $0.todos.getTodolistOrGroup(id: $1.number("id")) },
    "GetTool": { try await $0.automation.getTool(id: $1.number("toolId")) },
    // The cases do not say for which days.
    "GetUpcomingSchedule": { client, _ in
        try await client.reports.getUpcomingSchedule(windowEndsOn: "2026-06-30", windowStartsOn: "2026-06-01")
    },
    "ListFolders": { client, _ in try await client.folders.list() },
    "PrioritizeAssignment": { try await $0.myAssignments.prioritizeAssignment(id: $1.number("id")) },
    "ReorderUpNext": {
        try await $0.myAssignments.reorderUpNext(position: Int($1.number("position")), sourceID: $1.number("source_id"))
    },
    "ReplaceDocument": {
        try await $0.files.replaceDocument(id: $1.number("documentId"), title: $1.optionalText("title"))
    },
    "ReplaceScheduleEntry": {
        try await $0.schedule.replaceEntry(
            id: $1.number("entryId"), endsAt: $1.text("ends_at"), startsAt: $1.text("starts_at"),
            description: $1.optionalText("description"), summary: $1.optionalText("summary"),
            allDay: $1.flag("all_day"), highlighted: $1.flag("highlighted"),
            participantIDs: $1.numbers("participant_ids"), url: $1.optionalText("url"))
    },
    "ReplaceTodo": { try await $0.todos.replace(id: $1.number("todoId"), content: $1.text("content")) },
    "ReplaceTodolist": {
        try await $0.todos.updateTodolistOrGroup(
            id: $1.number("id"), name: $1.text("name"), description: $1.optionalText("description"))
    },
    "RepositionTodolistGroup": {
        try await $0.todos.repositionTodolistGroup(groupID: $1.number("groupId"), position: Int($1.number("position")))
    },
    "Subscribe": { try await $0.people.subscribe(recordingID: $1.number("recordingId")) },
    "TrashProject": { try await $0.projects.trash(id: $1.number("projectId")) },
    "UpdateCalendar": {
        try await $0.calendars.update(id: $1.number("calendarId"), color: $1["calendar"]?["color"]?.string ?? "")
    },
    "UpdateCard": {
        try await $0.cardTables.updateCard(
            id: $1.number("cardId"), title: $1.optionalText("title"), content: $1.optionalText("content"),
            assigneeIDs: $1.numbers("assignee_ids"), dueOn: $1.optionalText("due_on"))
    },
    "UpdateCardVerbatim": {
        try await $0.cardTables.updateCard(
            id: $1.number("cardId"), title: $1.optionalText("title"), content: $1.optionalText("content"),
            assigneeIDs: $1.numbers("assignee_ids"), dueOn: $1.optionalText("due_on"))
    },
    "UpdateChatbot": {
        try await $0.campfire.updateChatbot(
            bucketID: $1.number("bucketId"), campfireID: $1.number("campfireId"), chatbotID: $1.number("chatbotId"),
            serviceName: $1.text("service_name"), commandURL: $1.optionalText("command_url"))
    },
    "UpdateFolder": { try await $0.folders.update(folderID: $1.number("folderId"), name: $1.text("name")) },
    "UpdateMyNote": { try await $0.myNotes.update(content: $1["note"]?["content"]?.string ?? "") },
    "UpdateProject": { try await $0.projects.update(id: $1.number("projectId"), name: $1.text("name")) },
    "UpdateTimesheetEntry": {
        try await $0.schedule.updateTimesheetEntry(id: $1.number("entryId"), hours: $1.optionalText("hours"))
    },
    "UpdateUpload": {
        try await $0.files.updateUpload(
            id: $1.number("uploadId"), description: $1.optionalText("description"),
            baseName: $1.optionalText("base_name"))
    },
]
