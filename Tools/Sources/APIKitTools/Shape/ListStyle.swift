/// How a list is written in a query or a form. The cases have the names of the library's `ParameterStyle.Lists`.
enum ListStyle: String {
    /// `ids=1&ids=2`
    case repeated
    /// `ids=1,2`
    case commas
    /// `ids=1%202`
    case spaces
    /// `ids=1%7C2`
    case pipes
    /// `ids[0]=1`. OpenAPI leaves lists in the style `deepObject` undefined. Servers that expect them read an index in
    /// the place of a member's name.
    case indexed

    /// The style of a list that is the whole value of a parameter, and not a member of an object; nil for a JSON text.
    /// A list has no member names for the style `members`, so its elements have indices.
    init?(_ style: Parameter.Style) {
        switch style {
        case .repeated: self = .repeated
        case .commas: self = .commas
        case .spaces: self = .spaces
        case .pipes: self = .pipes
        case .members: self = .indexed
        case .json: return nil
        }
    }
}
