/// What problems call a value: `body.user.name`, `response 200 [0].login`.
struct Place: CustomStringConvertible {
    let description: String
    /// What stands before the name of a member.
    private let separator: String
    /// What stands before the index of an element.
    private let indexSeparator: String

    private init(_ description: String, separator: String, indexSeparator: String) {
        self.description = description
        self.separator = separator
        self.indexSeparator = indexSeparator
    }

    /// The place of a value with a name, as in `body.user`; an empty name is that of a whole, as in `user`.
    static func named(_ name: String) -> Place {
        Place(name, separator: name.isEmpty ? "" : ".", indexSeparator: "")
    }

    /// The place of a whole with a title, as in `response 200 user`.
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
