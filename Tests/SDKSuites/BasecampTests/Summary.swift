import APIKit

/// What the cases ask about the items of a list, in the words of the suite.
func summary(of items: [JSONValue]) -> JSONValue {
    var summary: JSONValue.Object = items.first?.object ?? [:]
    summary["project_count"] = .number(.init(items.count))
    summary["last_project_id"] = items.last?["id"]
    for (name, value) in searchSummary(of: items) { summary[name] = value }
    for (name, value) in versionSummary(of: items) { summary[name] = value }
    return .object(summary)
}

/// What the cases ask about the results of a search.
private func searchSummary(of items: [JSONValue]) -> JSONValue.Object {
    func first(_ type: String) -> JSONValue? { items.first { $0["type"]?.string == type } }
    let parts: [(String, JSONValue?)] = [
        ("generic", items.first { $0["type"] != nil }),
        ("attachment", items.first { $0["type"] == nil }),
        ("upload_line", first("Chat::Lines::Upload")),
        ("upload", first("Chat::Lines::Upload")),
        ("upload_attachment", first("Chat::Lines::Upload")?["attachments"]?[0]),
        ("needle", first("Gauge::Needle")),
        ("needle_attachment", first("Gauge::Needle")?["attachments"]?[0]),
        ("kanban", first("Kanban::Column")),
    ]
    var summary: JSONValue.Object = [
        "result_count": .number(.init(items.count)),
        "bubble_up_url_count": .number(.init(items.count { $0["bubble_up_url"] != nil })),
        "kanban_subscriber_count": .number(.init(first("Kanban::Column")?["subscribers"]?.array?.count ?? 0)),
        "kanban_on_hold_cards_count": first("Kanban::Column")?["on_hold"]?["cards_count"] ?? 0,
    ]
    let asked = ["id", "title", "type", "url", "app_url", "content", "description", "sgid", "color", "on_hold"]
    for (prefix, part) in parts {
        for name in asked { summary["\(prefix)_has_\(name)"] = .bool(part?[name] != nil) }
        for (name, value) in part?.object ?? [:] { summary["\(prefix)_\(name)"] = value }
    }
    return summary
}

/// What the cases ask about the versions of an upload.
private func versionSummary(of items: [JSONValue]) -> JSONValue.Object {
    var summary: JSONValue.Object = [
        "versions_count": .number(.init(items.count)),
        "current_count": .number(.init(items.count { $0["upload"]?["current"]?.bool == true })),
        "last_has_upload": .bool(items.last?["upload"] != nil),
    ]
    summary["first_action"] = items.first?["action"]
    summary["last_action"] = items.last?["action"]
    for (name, value) in items.first?["upload"]?.object ?? [:] { summary["first_\(name)"] = value }
    return summary
}

/// What the cases ask about the schedule.
func scheduleSummary(of schedule: JSONValue) -> JSONValue {
    let parts = [
        "entry": "schedule_entries", "occurrence": "recurring_schedule_entry_occurrences", "assignable": "assignables",
    ]
    var summary: JSONValue.Object = [:]
    for (prefix, list) in parts {
        let items = schedule[list]?.array ?? []
        for (name, value) in items.first?.object ?? [:] { summary["\(prefix)_\(name)"] = value }
        summary["\(prefix)_bucket_name"] = items.first?["bucket"]?["name"]
        summary["\(prefix)_parent_title"] = items.first?["parent"]?["title"]
        let name = prefix == "occurrence" ? "recurring_occurrences" : list
        summary["\(name)_count"] = .number(.init(items.count))
    }
    return .object(summary)
}
