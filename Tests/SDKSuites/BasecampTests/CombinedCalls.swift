import APIKit
import Foundation
import SuiteSupport

@testable import Basecamp

/// The calls of the SDK that send several requests.
let combinedCalls: [String: Call] = [
    "DownloadURL": { client, test in
        _ = try await client.download(URL(string: "https://storage.3.basecamp.com\(test.text("path"))")!)
        return Outcome()
    },
    "UploadsDownload": { client, test in
        _ = try await client.download(uploadID: test.number("uploadId"))
        return Outcome()
    },
    "UpdateTodo": editTodo,
    "EditTodo": editTodo,
    "UpdateTodolist": editTodolist,
    "EditTodolist": editTodolist,
    "UpdateDocument": editDocument,
    "EditDocument": editDocument,
    "UpdateScheduleEntry": editScheduleEntry,
    "EditScheduleEntry": editScheduleEntry,
]

private let editTodo: Call = { client, test in
    _ = try await client.edit(TodoRequest(id: test.number("todoId"))) {
        $0.content = test.optionalText("content") ?? $0.content
        $0.description = test.optionalText("description") ?? $0.description
        $0.assigneeIDs = test.numbers("assignee_ids") ?? $0.assigneeIDs
    }
    return Outcome()
}

private let editTodolist: Call = { client, test in
    _ = try await client.edit(TodolistOrGroupRequest(id: test.number("id"))) {
        $0.name = test.optionalText("name") ?? $0.name
        $0.description = test.optionalText("description") ?? $0.description
    }
    return Outcome()
}

private let editDocument: Call = { client, test in
    _ = try await client.edit(DocumentRequest(id: test.number("documentId"))) {
        $0.title = test.optionalText("title") ?? $0.title
        $0.content = test.optionalText("content") ?? $0.content
    }
    return Outcome()
}

private let editScheduleEntry: Call = { client, test in
    _ = try await client.edit(ScheduleEntryRequest(id: test.number("entryId"))) {
        $0.summary = test.optionalText("summary") ?? $0.summary
        $0.description = test.optionalText("description") ?? $0.description
        $0.participantIDs = test.numbers("participant_ids")
        $0.url = test.optionalText("url")
        $0.highlighted = test.flag("highlighted")
    }
    return Outcome()
}
