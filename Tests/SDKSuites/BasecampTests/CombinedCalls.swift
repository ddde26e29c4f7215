import APIKit
import Basecamp
import Foundation
import SuiteSupport

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
    "UpdateTodo": updateTodo,
    "EditTodo": updateTodo,
    "UpdateTodolist": updateTodolist,
    "EditTodolist": updateTodolist,
    "UpdateDocument": updateDocument,
    "EditDocument": updateDocument,
    "UpdateScheduleEntry": updateScheduleEntry,
    "EditScheduleEntry": updateScheduleEntry,
]

private let updateTodo: Call = { client, test in
    _ = try await client.todos.update(
        id: test.number("todoId"), content: test.optionalText("content"),
        description: test.optionalText("description"), assigneeIDs: test.numbers("assignee_ids"))
    return Outcome()
}

private let updateTodolist: Call = { client, test in
    _ = try await client.todos.updateList(
        id: test.number("id"), name: test.optionalText("name"), description: test.optionalText("description"))
    return Outcome()
}

private let updateDocument: Call = { client, test in
    _ = try await client.files.updateDocument(
        id: test.number("documentId"), title: test.optionalText("title"), content: test.optionalText("content"))
    return Outcome()
}

private let updateScheduleEntry: Call = { client, test in
    _ = try await client.schedule.updateEntry(
        id: test.number("entryId"), summary: test.optionalText("summary"),
        description: test.optionalText("description"), participantIDs: test.numbers("participant_ids"),
        url: test.optionalText("url"), highlighted: test.flag("highlighted"))
    return Outcome()
}
