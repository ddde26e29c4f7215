/// What the type of a model is used for, and by whom.
struct TypeUses {
    /// The uses of its values.
    var uses: Uses = []
    /// The models, endpoints and webhooks that use the type. Each of them could be its owner.
    var users: Set<TypeOwner> = []
    /// The name of the member or the parameter that uses the type. A type without a name in the description is named
    /// after it: `Owner` for the values of the member `owner`.
    var hint = ""
    /// Whether values are elements of a list or a dictionary, so that the hint has to be put in the singular: `Item`
    /// for the elements of the member `items`.
    var isElement = false
}
