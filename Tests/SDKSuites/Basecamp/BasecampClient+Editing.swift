public import APIKit

// The API replaces a todo, a list, a document or an entry of the schedule as a whole: what a request leaves out is
// deleted. These methods read it first, and send what they do not change as it was. A change that somebody else makes
// meanwhile is lost.

extension BasecampClient.Todos {
    /// Changes a todo; what is nil stays as it is.
    public func update(
        id: Int64, content: String? = nil, description: String? = nil, assigneeIDs: [Int64]? = nil,
        completionSubscriberIDs: [Int64]? = nil, dueOn: String? = nil, startsOn: String? = nil, notify: Bool? = nil
    ) async throws(APIError<BasecampError>) -> Todo {
        let todo = try await get(id: id)
        return try await replace(
            id: id, content: content ?? todo.content, description: description ?? todo.description, notify: notify,
            assigneeIDs: assigneeIDs ?? todo.assignees?.map(\.id),
            completionSubscriberIDs: completionSubscriberIDs ?? todo.completionSubscribers?.map(\.id),
            dueOn: dueOn ?? todo.dueOn, startsOn: startsOn ?? todo.startsOn)
    }

    /// Changes a list of todos, or a group of one; what is nil stays as it is.
    public func updateList(
        id: Int64, name: String? = nil, description: String? = nil
    ) async throws(APIError<BasecampError>) -> Todolist {
        let list = try await getTodolistOrGroup(id: id)
        return try await updateTodolistOrGroup(
            id: id, name: name ?? list.name, description: description ?? list.description)
    }
}

extension BasecampClient.Files {
    /// Changes a document; what is nil stays as it is.
    public func updateDocument(
        id: Int64, title: String? = nil, content: String? = nil
    ) async throws(APIError<BasecampError>) -> Document {
        let document = try await getDocument(id: id)
        return try await replaceDocument(
            id: id, title: title ?? document.title, content: content ?? document.content)
    }
}

extension BasecampClient.Schedule {
    /// Changes an entry of the schedule; what is nil stays as it is, which the API itself sees to for the participants,
    /// the link and the highlight.
    public func updateEntry(
        id: Int64, summary: String? = nil, startsAt: String? = nil, endsAt: String? = nil, description: String? = nil,
        allDay: Bool? = nil, participantIDs: [Int64]? = nil, url: String? = nil, highlighted: Bool? = nil,
        notify: Bool? = nil
    ) async throws(APIError<BasecampError>) -> ScheduleEntry {
        let entry = try await getEntry(id: id)
        return try await replaceEntry(
            id: id, endsAt: endsAt ?? entry.endsAt, startsAt: startsAt ?? entry.startsAt,
            description: description ?? entry.description, summary: summary ?? entry.summary,
            allDay: allDay ?? entry.allDay, highlighted: highlighted, notify: notify, participantIDs: participantIDs,
            url: url)
    }
}
