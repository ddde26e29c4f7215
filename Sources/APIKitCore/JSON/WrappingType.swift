/// A type made of another one, whose coders read and write it.
///
/// It is needed because an Optional is not a ``JSONResponse``, and so neither is an array or a dictionary of them.
protocol WrappingType {
    /// The type of the values it is made of.
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
