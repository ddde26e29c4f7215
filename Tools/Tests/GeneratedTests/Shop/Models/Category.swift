struct Category: Codable, Sendable {
    var children: [Category]?
    var name: String
    var parent: Indirect<Category>?
}
