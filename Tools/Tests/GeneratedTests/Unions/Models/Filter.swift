import APIKit

struct Filter: JSONResponse, JSONBody {
    var key: String?
    var must: [Filter?]?
}
