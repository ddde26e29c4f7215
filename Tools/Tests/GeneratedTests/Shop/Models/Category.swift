import APIKit

struct Category: JSONResponse, JSONBody {
    var name: String
    var parent: Indirect<Category>?
    var children: [Category]?
}
