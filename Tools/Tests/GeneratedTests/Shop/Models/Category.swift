import APIKit

struct Category: ShopModel, JSONBody {
    var name: String
    var parent: Indirect<Category>?
    var children: [Category]?
}
