import OpenAPIRules

extension SchemaReader {
    /// The keywords of JSON Schema that change what values are, and that the code does not represent.
    private static let ignoredKeywords = [
        "patternProperties", "prefixItems", "contains", "dependentSchemas", "dependentRequired", "if", "not",
        "propertyNames", "unevaluatedItems", "$dynamicRef",
    ]

    /// Adds a note for each keyword of a schema that the code does not represent. Limits, such as `maxLength`, need
    /// none: the server checks them.
    func noteIgnoredKeywords(of element: Element) {
        for keyword in Self.ignoredKeywords where element.has(keyword) {
            note(.simplified, "the keyword \(exact: keyword) of a schema is ignored", at: element.place)
        }
    }
}
