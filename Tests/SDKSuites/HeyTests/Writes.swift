import APIKit
import SuiteSupport

@testable import Hey

/// The requests of the operations that write.
let writes: [String: @Sendable (ConformanceCase.Arguments) -> any HeyRequest] = [
    "AddPostingsToBoxGroup": {
        AddPostingsToBoxGroupRequest(
            boxGroupID: $0.number("box_group_id"), boxID: $0.number("box_id"),
            postingIDs: $0.numbers("posting_ids") ?? [])
    },
    "BubbleUpPostingsNow": { BubbleUpPostingsNowRequest(markPostings: postings($0)) },
    "BulkUpdateClearances": { UpdateBulkClearancesRequest(status: $0.text("status"), ids: $0.text("ids")) },
    "BundleContact": { BundleContactRequest(contactID: $0.number("contactId")) },
    "CancelPostingsBubbleUp": { CancelPostingsBubbleUpRequest(postingIDs: $0.text("posting_ids")) },
    "CompleteCalendarTodo": { CompleteCalendarTodoRequest(todoID: $0.number("todoId")) },
    "CompleteHabit": { CompleteHabitRequest(day: $0.text("day"), habitID: $0.number("habitId")) },
    "CreateBoxDesignation": {
        CreateBoxDesignationRequest(boxID: $0.number("boxId"), contactID: $0.number("contact_id"))
    },
    "CreateBoxGroup": { CreateBoxGroupRequest(boxID: $0.number("boxId"), postingIDs: $0.numbers("posting_ids") ?? []) },
    "CreateBulkReply": {
        CreateBulkReplyRequest(message: .init(content: $0.text("content")), entryIDs: $0.numbers("entry_ids") ?? [])
    },
    "CreateCalendarTodo": { CreateCalendarTodoRequest(title: $0.text("title")) },
    "CreateContact": {
        CreateContactRequest(
            contact: .init(
                name: $0.text("name"), emailAddress: $0.optionalText("email_address"),
                aliasEmailAddresses: $0.texts("alias_email_addresses")))
    },
    "CreateDirectUpload": {
        CreateDirectUploadRequest(
            byteSize: $0.number("byte_size"), checksum: $0.text("checksum"), contentType: $0.text("content_type"),
            filename: $0.text("filename"))
    },
    "CreateFolderForPostings": {
        CreateFolderRequest(folder: .init(name: $0.text("name")), postingIDs: $0.numbers("posting_ids") ?? [])
    },
    "CreateHabit": { CreateHabitRequest(habitRequestContent: habit($0)) },
    "CreateMessage": {
        CreateMessageRequest(
            message: .init(subject: $0.text("subject"), content: $0.text("content")), actingSenderID: 1)
    },
    "CreateReply": {
        CreateReplyRequest(
            entryID: $0.number("entryId"), message: .init(content: $0.text("content")), actingSenderID: 1)
    },
    "CreateSticky": { CreateStickyRequest(stickyRequestContent: sticky($0)) },
    "CreateTimeTrack": {
        CreateTimeTrackRequest(
            endsAt: $0.text("ends_at"), startsAt: $0.text("starts_at"),
            categoryTitle: $0.optionalText("category_title"), notes: $0.optionalText("notes"))
    },
    "CreateWorkflowStaging": {
        CreateWorkflowStagingRequest(topicID: $0.number("topicId"), workflowID: $0.number("workflowId"))
    },
    "DeleteBoxDesignation": { DeleteBoxDesignationRequest(boxID: $0.number("boxId"), id: $0.number("designationId")) },
    "DeleteBoxGroup": { DeleteBoxGroupRequest(boxID: $0.number("boxId"), id: $0.number("groupId")) },
    "DeleteCalendarTodo": { DeleteCalendarTodoRequest(id: $0.number("todoId")) },
    "DeleteContactNote": { DeleteContactNoteRequest(contactID: $0.number("contactId")) },
    "DeleteHabit": { DeleteHabitRequest(id: $0.number("habitId")) },
    "DeleteSticky": { DeleteStickyRequest(id: $0.number("stickyId")) },
    "DeleteTimeTrack": { DeleteTimeTrackRequest(id: $0.number("timeTrackId")) },
    "EmptySpam": { _ in EmptySpamRequest() },
    "EmptyTrash": { _ in EmptyTrashRequest() },
    "FilePostings": {
        FilePostingsRequest(folderID: $0.number("folder_id"), postingIDs: $0.numbers("posting_ids") ?? [])
    },
    "HideContact": { HideContactRequest(id: $0.number("contactId")) },
    "MarkBoxSeen": { MarkBoxSeenRequest(boxID: $0.number("boxId")) },
    "MarkEntrySpam": { MarkEntrySpamRequest(entryID: $0.number("entryId")) },
    "MarkPostingsSeen": { MarkPostingsSeenRequest(markPostings: postings($0)) },
    "MarkPostingsSpam": { MarkPostingsSpamRequest(markPostings: postings($0)) },
    "MarkPostingsUnseen": { MarkPostingsUnseenRequest(markPostings: postings($0)) },
    "MarkTopicHam": { MarkTopicHamRequest(topicID: $0.number("topicId")) },
    "MovePostings": { MovePostingsRequest(boxID: $0.number("box_id"), postingIDs: $0.numbers("posting_ids") ?? []) },
    "MoveSticky": { MoveStickyRequest(id: $0.number("id"), position: Int($0.number("position"))) },
    "MoveTopic": { MoveTopicRequest(topicID: $0.number("topicId"), boxID: $0.number("box_id")) },
    "MoveWorkflowStaging": {
        MoveWorkflowStagingRequest(
            topicID: $0.number("topicId"), workflowID: $0.number("workflowId"),
            workflowStageID: $0.number("workflow_stage_id"))
    },
    "MutePostings": { MutePostingsRequest(markPostings: postings($0)) },
    "PuntClearances": { _ in PuntClearancesRequest() },
    "RemovePostingsFromBoxGroup": { RemovePostingsFromBoxGroupRequest(postingIDs: $0.text("posting_ids")) },
    "RestoreTopic": { RestoreTopicRequest(topicID: $0.number("topicId")) },
    "ResumeHabit": { ResumeHabitRequest(habitID: $0.number("habitId")) },
    "RevealContact": { RevealContactRequest(contactID: $0.number("contactId")) },
    "StartTimeTrack": { _ in StartTimeTrackRequest() },
    "StopHabit": { StopHabitRequest(habitID: $0.number("habitId")) },
    "TrashPostings": { TrashPostingsRequest(postingIDs: $0.numbers("posting_ids") ?? []) },
    "TrashTopic": {
        TrashTopicRequest(topicID: $0.number("topicId"), confirmDestroy: $0.optionalText("confirm_destroy"))
    },
    "UnbundleContact": { UnbundleContactRequest(contactID: $0.number("contactId")) },
    "UncompleteCalendarTodo": { UncompleteCalendarTodoRequest(todoID: $0.number("todoId")) },
    "UncompleteHabit": { UncompleteHabitRequest(day: $0.text("day"), habitID: $0.number("habitId")) },
    "UnfilePostings": {
        UnfilePostingsRequest(postingIDs: $0.text("posting_ids"), folderID: $0.optionalNumber("folder_id"))
    },
    "UnmutePostings": { UnmutePostingsRequest(postingIDs: $0.text("posting_ids")) },
    "UpdateClearance": { UpdateClearanceRequest(id: $0.number("clearanceId"), status: $0.text("status")) },
    "UpdateCollection": {
        UpdateCollectionRequest(
            id: $0.number("collectionId"), name: $0.optionalText("name"), summary: $0.optionalText("summary"))
    },
    "UpdateContact": {
        UpdateContactRequest(
            id: $0.number("contactId"), name: $0.text("name"), emailAddress: $0.optionalText("email_address"))
    },
    "UpdateContactClearance": {
        UpdateContactClearanceRequest(contactID: $0.number("contactId"), status: $0.text("status"))
    },
    "UpdateContactNote": { UpdateContactNoteRequest(contactID: $0.number("contactId"), note: $0.text("note")) },
    "UpdateHabit": { UpdateHabitRequest(id: $0.number("habitId"), habitRequestContent: habit($0)) },
    "UpdateJournalEntry": { UpdateJournalEntryRequest(day: $0.text("day"), content: $0.text("body")) },
    "UpdateMyClearance": { UpdateMyClearanceRequest(id: $0.number("clearanceId"), status: $0.text("status")) },
    "UpdateSticky": { UpdateStickyRequest(id: $0.number("stickyId"), stickyRequestContent: sticky($0)) },
    "UpdateTimeTrack": { UpdateTimeTrackRequest(id: $0.number("timeTrackId")) },
]

private func postings(_ test: ConformanceCase.Arguments) -> MarkPostings {
    MarkPostings(postingIDs: test.numbers("posting_ids") ?? [])
}

private func habit(_ test: ConformanceCase.Arguments) -> HabitRequestContent {
    let days = test.numbers("days")?.map { Int($0) }
    return HabitRequestContent(
        calendarHabit: .init(
            name: test.optionalText("name"), color: test.optionalText("color"), icon: test.optionalText("icon"),
            days: days))
}

private func sticky(_ test: ConformanceCase.Arguments) -> StickyRequestContent {
    StickyRequestContent(sticky: .init(body: test.optionalText("body"), size: test.optionalText("size")))
}
