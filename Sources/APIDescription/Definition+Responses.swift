import APIKitCore
import APIKitTesting

extension Definition {
    /// The first problem of an example with the schema beside it; nil if the example fits the schema.
    func mistake(in example: Definition, at place: Place) -> APIDescription.Problem? {
        guard let schema = self["schema"] else { return nil }
        let problem = SchemaCheck.problems(example.value, schema, at: place, .response).first
        return problem.map { .init(.invalidExample, $0.member, $0.message, example.pointer) }
    }

    /// The schema of the value at a coding path within values of this schema; nil if the schema does not describe it.
    func member(at names: [String]) -> Definition? {
        var schema = self
        for name in names {
            let inner: Definition?
            // A coding path names elements of lists by their indexes.
            if let index = Int(name) {
                inner = schema.element(at: index)
            } else {
                inner = schema.property(decodedAs: name)
            }
            guard let inner else { return nil }
            schema = inner
        }
        return schema
    }

    /// Whether samples of the schema can show a problem. They cannot if it allows any value or any object.
    var describesMembers: Bool {
        let allowsAnyValue = kinds.isEmpty
        let allowsAnyObject = kinds == ["object"] && propertyNames.isEmpty
        return !allowsAnyValue && !allowsAnyObject
    }
}
