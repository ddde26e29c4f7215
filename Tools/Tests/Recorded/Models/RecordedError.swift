import APIKit

struct RecordedError: JSONResponse, LocalizedError {
    let code: Int
    let error: String
    var errorDescription: String? { error }
}
