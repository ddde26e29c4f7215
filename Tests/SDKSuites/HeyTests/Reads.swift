import APIKit
import SuiteSupport

@testable import Hey

/// The requests of the operations that read.
let reads: [String: @Sendable (ConformanceCase.Arguments) -> any HeyRequest] = [
    "AdvancedSearch": { SearchAdvancedRequest(q: $0.optionalText("q"), refineFrom: $0.optionalText("refine[from]")) },
    "GetAdvancedSearchFilters": { _ in AdvancedSearchFiltersRequest() },
    "GetAsidebox": { _ in AsideboxRequest() },
    "GetBox": { BoxRequest(id: $0.number("boxId")) },
    "GetBoxPostingChanges": {
        BoxPostingChangesRequest(boxID: $0.number("boxId"), since: $0.text("since"), v: $0.optionalText("v"))
    },
    "GetBubblebox": { _ in BubbleboxRequest() },
    "GetCalendarRecordings": { CalendarRecordingsRequest(calendarID: $0.number("calendarId")) },
    "GetClearances": { _ in ClearancesRequest() },
    "GetCollection": { CollectionRequest(id: $0.number("collectionId"), page: $0.optionalText("page")) },
    "GetContact": { ContactRequest(id: $0.number("contactId")) },
    "GetContactNote": { ContactNoteRequest(contactID: $0.number("contactId")) },
    "GetEverythingTopics": { _ in EverythingTopicsRequest() },
    "GetFeedbox": { _ in FeedboxRequest() },
    "GetFolder": { FolderRequest(id: $0.number("folderId")) },
    "GetIdentity": { _ in IdentityRequest() },
    "GetImbox": { _ in ImboxRequest() },
    "GetJournalEntry": { JournalEntryRequest(day: $0.text("day")) },
    "GetLaterbox": { _ in LaterboxRequest() },
    "GetMessage": { MessageRequest(id: $0.number("messageId")) },
    "GetMyClearances": { _ in MyClearancesRequest() },
    "GetNavigation": { _ in NavigationRequest() },
    "GetSentTopics": { _ in SentTopicsRequest() },
    "GetSpamTopics": { _ in SpamTopicsRequest() },
    "GetTopic": { TopicRequest(id: $0.number("topicId")) },
    "GetTopicEntries": { TopicEntriesRequest(topicID: $0.number("topicId")) },
    "GetTopicPublication": { TopicPublicationRequest(topicID: $0.number("topicId")) },
    "GetTrailbox": { _ in TrailboxRequest() },
    "GetTrashTopics": { _ in TrashTopicsRequest() },
    "GetWorkflow": { WorkflowRequest(id: $0.number("workflowId")) },
    "ListBoxGroups": { BoxGroupsRequest(boxID: $0.number("boxId")) },
    "ListBoxes": { _ in BoxesRequest() },
    "ListCalendars": { _ in CalendarsRequest() },
    "ListClips": { _ in ClipsRequest() },
    "ListCollections": { _ in CollectionsRequest() },
    "ListContacts": { _ in ContactsRequest() },
    "ListDrafts": { _ in DraftsRequest() },
    "ListJournalEntries": { _ in JournalEntriesRequest() },
    "ListSnippets": { _ in SnippetsRequest() },
    "ListStickies": { StickiesRequest(limit: $0.optionalNumber("limit").map { Int($0) }) },
    "ListTimeTrackCategories": { _ in TimeTrackCategoriesRequest() },
    "NewBulkReply": { NewBulkReplyRequest(postingIDs: $0.text("posting_ids")) },
    "NewEntryForward": { NewEntryForwardRequest(entryID: $0.number("entryId")) },
]
