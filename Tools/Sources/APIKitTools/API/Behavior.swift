/// What a source says of an operation besides what it sends and returns: whether and how a failed request is sent
/// again, and how the next page is requested.
struct Behavior {
    /// How often a request is sent, and after which statuses again.
    var retries = Retries()
    /// Whether a request may be sent again although its method is not idempotent.
    var isIdempotent = false
    /// Whether the server recognizes a repeated request by its header `Idempotency-Key`.
    var knowsIdempotencyKeys = false
    /// How the next page is requested; nil if the source does not say.
    var paging: DescribedPaging?

    /// How often a request is sent, and after which statuses again. The values have the names of the library's
    /// `RequestOptions.Retries`.
    struct Retries: Hashable {
        /// The most times that a request is sent, at least 1; nil if the source does not say.
        var attempts: Int?
        /// The statuses after which a request is sent again; nil if the source does not say.
        var statuses: Set<Int>?
    }
}

/// How the next page of a list is requested, as an extension of a description says.
struct DescribedPaging {
    /// The part of a response or a request that leads to the next page. The members of a response are named from the
    /// outermost one to the innermost one.
    enum Way {
        /// A `Link` header of the response.
        case header
        /// A URL in a member of the response.
        case link([String])
        /// A cursor in a member of the response, which becomes the value of the parameter.
        case cursor(parameter: String, [String])
        /// The parameter counts pages or, as an offset, items. The list is in a member of the response; nil if the
        /// extension does not say in which one.
        case number(parameter: String, isOffset: Bool, list: [String]?)
    }

    var way: Way
    /// The header of the response that has the number of items on all pages.
    var totalHeader: String?
    /// The name of the extension, as notes show it.
    var name: String
    /// Where the extension is.
    var place: Place
}
