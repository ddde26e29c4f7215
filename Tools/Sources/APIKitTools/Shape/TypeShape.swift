/// A type as it is written for a model of the description: its name, and where it is declared.
struct TypeShape {
    /// What its values are used for, which decides the protocols that it conforms to.
    let uses: Uses
    /// What it is declared in.
    let owner: TypeOwner
    let name: String
    /// Whether its values are elements of a list or a dictionary.
    let isElement: Bool
    /// Whether it is declared inside its owner, and not beside it in the same file.
    let isNested: Bool
    /// Whether it is an enum that contains itself, other than in a list. Swift requires `indirect` for it.
    let isIndirect: Bool

    /// Whether it has a file of its own.
    var hasFile: Bool { owner == .none || owner == .api }
}

/// What a type is used by, or declared in: another type, or a file.
enum TypeOwner: Hashable {
    /// The type has a file of its own, since it is used in several places, or it is the generic parameter of pages,
    /// which is not declared by itself.
    case none
    /// It is declared inside the type of this model.
    case model(ModelID)
    /// It is declared in the file of the endpoint with this index.
    case endpoint(Int)
    /// It is declared in the file of the webhook with this index.
    case webhook(Int)
    /// It belongs to the whole API, such as the type of its failures. It has a file of its own, which is always
    /// written.
    case api
}
