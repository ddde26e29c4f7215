import APIKit

// POSTs that may be sent again.

extension CompleteTodoRequest {
    var options: RequestOptions { RequestOptions(isIdempotent: true) }
}

extension CreateBookmarkRequest {
    var options: RequestOptions { RequestOptions(isIdempotent: true) }
}

extension PrioritizeAssignmentRequest {
    var options: RequestOptions { RequestOptions(isIdempotent: true) }
}

extension SubscribeRequest {
    var options: RequestOptions { RequestOptions(isIdempotent: true) }
}
