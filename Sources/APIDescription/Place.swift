/// The name of a value in problems: `body.user.name`, `response 200 [0].login`.
struct Place: CustomStringConvertible {
    let description: String
    /// The text between this place and the name of a member.
    private let separator: String
    /// The text between this place and the index of an element.
    private let indexSeparator: String

    private init(_ description: String, separator: String, indexSeparator: String) {
        self.description = description
        self.separator = separator
        self.indexSeparator = indexSeparator
    }

    /// A place whose members are written after a point, as in `body.user`. With an empty name, they have no prefix.
    static func named(_ name: String) -> Place {
        Place(name, separator: name.isEmpty ? "" : ".", indexSeparator: "")
    }

    /// A place whose members are written after a space, as in `response 200 user`.
    static func titled(_ title: String) -> Place {
        Place(title, separator: " ", indexSeparator: " ")
    }

    func member(_ name: String) -> Place {
        .named("\(description)\(separator)\(name)")
    }

    func element(_ index: Int) -> Place {
        .named("\(description)\(indexSeparator)[\(index)]")
    }
}
