/// An enum whose cases are told apart by a member of the JSON object, the *tag*, which OpenAPI calls a discriminator.
///
/// ```swift
/// enum Pet: TaggedUnion, Hashable {
///     case cat(Cat)
///     case dog(Dog)
///     case other(JSONValue)
///
///     static var tagName: String { "kind" }
///     static var unknownCase: String? { "other" }
/// }
///
/// struct Owner: JSONResponse {
///     let pets: [Tagged<Pet>]
/// }
/// ```
///
/// `{"pets": [{"kind": "cat", "name": "Tom"}]}` is read as an owner whose `pets[0].value` is `.cat(Cat(name: "Tom"))`.
///
/// The enum leaves `Codable` to the compiler, whose own format is another one: `{"cat": {"_0": …}}`. ``Tagged`` reads
/// and writes the format with a tag, so models, responses and bodies contain a `Tagged<Pet>`.
///
/// **Cases.** The tag has the name of the case:
///
/// | Case | JSON |
/// | --- | --- |
/// | `case cat(Cat)` | `{"kind": "cat", "name": "Tom"}`: the members of the value stand beside the tag |
/// | `case fish(age: Int)` | `{"kind": "fish", "age": 3}`: a label is the name of a member |
/// | `case stone` | `{"kind": "stone"}` |
/// | `case counts([String: Int])` | `{"kind": "counts", "a": 1}`: so do the members of a dictionary and ``JSONValue`` |
///
/// **Other tags.** `CodingKeys` rename tags; with `Int`, the tags are integers:
///
/// ```swift
/// enum Shape: TaggedUnion {
///     case circle(radius: Double)
///     case square(side: Double)
///
///     enum CodingKeys: String, CodingKey {
///         case circle = "shape.circle"
///         case square = "shape.square"
///     }
///     static var tagName: String { "type" }
/// }
/// ```
///
/// **Envelopes.** If the value is in a member of its own, as in `{"kind": "cat", "value": {"name": "Tom"}}`, return the
/// member's name from ``contentName``.
///
/// **Conventions of an API.** An enum that also conforms to the API's model protocol is read and written with the
/// decoder and the encoder of that protocol.
public protocol TaggedUnion: Codable, Sendable {
    /// The name of the member that is the tag. Key strategies convert it as they convert coding keys.
    ///
    /// Beside the members of a dictionary or a ``JSONValue``, whose names are data, no name is converted when the value
    /// is written. If an enum has such a case and its encoder has a key strategy, return the name as it is in the JSON:
    /// `"event_type"`, not `"eventType"`.
    static var tagName: String { get }

    /// The name of the member that has the value of a case; nil, the default, if the members of the value stand beside
    /// the tag. Labeled values always stand beside the tag.
    static var contentName: String? { get }

    /// The name of the case for objects whose tag is missing or does not belong to a case; nil, the default, makes such
    /// an object an error.
    ///
    /// If `CodingKeys` rename that case, this is its new name. Its value is the whole object with its tag: a
    /// ``JSONValue``, or a model of the members that all objects have. It is written without a further tag, so a
    /// `JSONValue` is written as it was read.
    static var unknownCase: String? { get }
}

// MARK: - Default implementations

extension TaggedUnion {
    /// Nil: the members of a value stand beside the tag.
    public static var contentName: String? { nil }

    /// Nil: an object with an unknown tag is an error.
    public static var unknownCase: String? { nil }
}
