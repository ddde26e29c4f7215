public import APIKitCore
import APIKitSupport

// How a link becomes a request: `APIReply.links` reads the `Link` header, an endpoint sets its `pageLink` with one of
// these functions, and `LinkURL` turns that into the URL of the next request.
extension PagedRequest {
    /// This request with another position, such as the ``pageLink`` or the cursor that a reply names; nil if it
    /// names none, or an empty text, as some APIs do after the last page.
    ///
    /// - Parameters:
    ///   - position: The property that says where a page starts.
    ///   - value: The position of the next page.
    /// - Returns: The request for the next page.
    public func next<Value>(setting position: WritableKeyPath<Self, Value?>, to value: Value?) -> Self? {
        guard let value, !isEmptyText(value) else { return nil }
        var next = self
        next[keyPath: position] = value
        return next
    }

    /// This request with another position, if the property that holds it is not an optional.
    ///
    /// - Parameters:
    ///   - position: The property that says where a page starts.
    ///   - value: The position of the next page; nil, or an empty text, after the last one.
    /// - Returns: The request for the next page.
    public func next<Value>(setting position: WritableKeyPath<Self, Value>, to value: Value?) -> Self? {
        guard let value, !isEmptyText(value) else { return nil }
        var next = self
        next[keyPath: position] = value
        return next
    }

    /// This request with the link to another page, which a reply has as text; nil if there is none, or a text that is
    /// empty or consists of spaces, which some APIs have on the last page.
    ///
    /// ```swift
    /// next(setting: \.pageLink, to: reply.model.next)
    /// ```
    ///
    /// A text that is not a valid URL does not end the list: the request for it throws a ``RequestError`` with the code
    /// `link`.
    ///
    /// - Parameters:
    ///   - link: The property that holds the link: ``pageLink``.
    ///   - text: The link to the next page, absolute or relative to the endpoint's own URL.
    /// - Returns: The request for the next page.
    public func next(setting link: WritableKeyPath<Self, URL?>, to text: String?) -> Self? {
        guard let text, !text.trimmingLink.isEmpty else { return nil }
        var next = self
        next[keyPath: link] = URL(link: text)
        return next
    }

    /// Unavailable: a property that is not stored, or a constant, cannot be set.
    @available(*, unavailable, message: "declare the property as stored and variable, such as `var pageLink: URL?`")
    public func next<Value>(setting position: KeyPath<Self, Value?>, to value: Value?) -> Self? { nil }

    /// This request with a larger number, such as the number of the page or the offset of its first item; nil if it is
    /// not advanced.
    ///
    /// If the sum is too large for the number's type, the request stays the same, which ``Pages`` report as an error
    /// with the code `repeatedPage`.
    ///
    /// ```swift
    /// func next(after reply: APIReply<[Item]>) -> Self? {
    ///     next(advancing: \.offset, by: reply.model.count)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - position: The property that says where a page starts.
    ///   - count: What is added: 1 to the number of a page, the number of its items to an offset; zero or less after
    ///     the last page.
    /// - Returns: The request for the next page.
    public func next<Number: FixedWidthInteger>(
        advancing position: WritableKeyPath<Self, Number>, by count: Number
    ) -> Self? {
        guard count > 0 else { return nil }
        let sum = self[keyPath: position].addingReportingOverflow(count)
        guard !sum.overflow else { return self }
        var next = self
        next[keyPath: position] = sum.partialValue
        return next
    }

    private func isEmptyText(_ value: Any) -> Bool { (value as? String)?.isEmpty == true }
}
