/// A method of the API's client as it is written.
struct MethodShape {
    /// The group that has the method.
    let group: MethodGroup
    /// The name of the function, such as `create`, not in backticks.
    let name: String
    /// The name of the function that returns the items of all pages, such as `all`.
    let nameOfAll: String
}

/// A part of the API's client: the methods of the endpoints with the same tag, or with the same first noun of
/// their paths.
struct MethodGroup: Hashable {
    /// The name of the struct that has the methods, such as `Todos`.
    let typeName: String
    /// The name of the client's property, such as `todos`, not in backticks.
    let propertyName: String
}
