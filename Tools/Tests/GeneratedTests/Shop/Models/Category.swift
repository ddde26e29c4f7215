import APIKit

struct Category: JSONResponse, JSONBody {
    var children: [Category]?
    var name: String
    var parent: Indirect<Category>?
}
