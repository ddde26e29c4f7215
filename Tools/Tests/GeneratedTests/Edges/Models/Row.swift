import APIKit

struct Row: JSONResponse {
    let id: Int
}
