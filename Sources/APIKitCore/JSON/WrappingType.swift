/// A type that is made of another one, and is read and written by that one's coders.
///
/// An Optional is not a ``JSONAPIResponse``, and so neither is an array or a dictionary of them.
protocol WrappingType {
    /// The other one.
    static var wrapped: Any.Type { get }
}

extension Optional: WrappingType {
    static var wrapped: Any.Type { Wrapped.self }
}

extension Array: WrappingType {
    static var wrapped: Any.Type { Element.self }
}

extension Dictionary: WrappingType {
    static var wrapped: Any.Type { Value.self }
}
