/// What the values of a model's Swift type are used for. The uses decide the protocols that the type conforms to.
struct Uses: OptionSet {
    let rawValue: Int
    /// They are read from JSON.
    static let decoded = Uses(rawValue: 1)
    /// They are written as JSON by an encoder.
    static let encoded = Uses(rawValue: 2)
    /// They are written as parameters: in a path, a query or a form, or as members of a JSON body.
    static let parameter = Uses(rawValue: 4)
    /// A value is all of a response. The type conforms to `JSONResponse`.
    static let response = Uses(rawValue: 8)
    /// A value is all of a body. The type conforms to `JSONBody`.
    static let body = Uses(rawValue: 16)
    /// A value is an event of a stream.
    static let event = Uses(rawValue: 32)
    /// A value is what the API reports for a rejected request.
    static let failure = Uses(rawValue: 64)
    /// A value is the object around what an endpoint returns.
    static let envelope = Uses(rawValue: 128)

    /// Whether values are received from the API.
    var isRead: Bool { contains(.decoded) }

    /// Whether values can be written, by an encoder or as parameters.
    var isWritten: Bool { !isDisjoint(with: [.encoded, .parameter]) }
}
