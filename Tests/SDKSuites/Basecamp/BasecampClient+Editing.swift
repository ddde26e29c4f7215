import APIKit

/// A model whose changes are sent as a whole: a member that is left out is deleted.
protocol Editable: Sendable {
    associatedtype Replacement: BasecampRequest
    where Replacement.Response.Model == Self, Replacement.Failure.Model == BasecampError

    /// The request that writes the model as it is.
    var replacement: Replacement { get }
}

extension BasecampClient {
    /// Reads a model, changes it, and writes it back. A change that somebody else makes meanwhile is lost.
    func edit<R: BasecampRequest>(
        _ request: R, _ change: (inout R.Response.Model.Replacement) -> Void
    ) async throws(APIError<BasecampError>) -> R.Response.Model
    where R.Response.Model: Editable, R.Failure.Model == BasecampError {
        var replacement = try await client.send(request).replacement
        change(&replacement)
        return try await client.send(replacement)
    }
}

extension Todo: Editable {
    var replacement: ReplaceTodoRequest {
        ReplaceTodoRequest(
            id: id, content: content, description: description, assigneeIDs: assignees?.map(\.id) ?? [],
            completionSubscriberIDs: completionSubscribers?.map(\.id) ?? [], dueOn: dueOn, startsOn: startsOn)
    }
}

extension Todolist: Editable {
    var replacement: UpdateTodolistOrGroupRequest {
        UpdateTodolistOrGroupRequest(id: id, name: name, description: description)
    }
}

extension Document: Editable {
    var replacement: ReplaceDocumentRequest { ReplaceDocumentRequest(id: id, title: title, content: content) }
}

extension ScheduleEntry: Editable {
    /// The participants, the link and the highlight stay as they are unless they are sent.
    var replacement: ReplaceScheduleEntryRequest {
        ReplaceScheduleEntryRequest(
            id: id, endsAt: endsAt, startsAt: startsAt, description: description, summary: summary, allDay: allDay)
    }
}
