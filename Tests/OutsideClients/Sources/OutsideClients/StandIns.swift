import APIKitCore

// What stands in for members without public API, which only save time or serve the package's own tests.

extension HTTPRequest {
    /// The URL, of which the clients need only the text. APIKitCore keeps one that need not be parsed.
    struct LazyURL {
        let text: String
    }

    var lazyURL: LazyURL { LazyURL(text: url.absoluteString) }
}

extension Date {
    /// Reads an HTTP date. In APIKit's own initializer, the time decides about years of two digits.
    init?(httpDate text: String, now: Date) {
        self.init(httpDate: text)
    }
}
