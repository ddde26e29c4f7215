/// The notes on members that are left out of models since their text is always the same, such as `object: "list"`.
struct ConstantNotes {
    let uses: ModelUses
    /// The models that are variants of a union and cannot be distinguished from its other variants by a tag.
    let untaggedVariants: Set<ModelID>
    /// Whether models that are only read can also be encoded.
    let isCodable: Bool

    /// A note for each member.
    var all: [Note] {
        var notes: [Note] = []
        for (id, type) in uses.types.sorted(by: { $0.key < $1.key }) {
            guard let object = uses.models[id]?.object else { continue }
            let isVariant = untaggedVariants.contains(id)
            guard type.uses.leavesOutConstants(isVariant: isVariant, isCodable: isCodable) else { continue }
            for (name, member) in object.members where member.namesItsType {
                let text: NoteText = "member \(exact: name) where it always has the same text"
                notes.append(Note(.skipped, text, at: member.schema.place))
            }
        }
        return notes
    }
}
