import APIKit

struct RecordedError: JSONResponse, Error {
    let code: Int
    let error: String
}
