import APIKit

// POSTs that may be sent again.

extension CompleteCalendarTodoRequest {
    var options: RequestOptions { RequestOptions(isIdempotent: true) }
}

extension CompleteHabitRequest {
    var options: RequestOptions { RequestOptions(isIdempotent: true) }
}
