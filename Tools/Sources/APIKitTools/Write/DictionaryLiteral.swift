/// A dictionary as code. It may be nested in another dictionary, as the value of its only member:
///
///     ["name": name, "sort": sort]
///     ["data": .object(["name": name, "sort": sort])]
struct DictionaryLiteral {
    /// The code before the first element, such as `.json([`.
    private let start: String
    /// The code of each name and value, such as `"name": name`. An empty dictionary has the single element `:`.
    private let elements: [String]
    /// The code after the last element, such as `])`.
    private let end: String
    /// The literal for the name of the outer dictionary's member; nil if the dictionary is not nested.
    private let outerMember: String?

    /// Creates a dictionary from the code of its elements, each with a name and a value, such as `"name": name`.
    init(start: String = "[", _ elements: [String], end: String = "]", outerMember: String? = nil) {
        self.start = start
        self.elements = elements.isEmpty ? [":"] : elements
        self.end = end
        self.outerMember = outerMember
    }

    /// The dictionary in one line.
    var line: String {
        let list = elements.joined(separator: ", ")
        guard let outerMember else { return start + list + end }
        return "\(start)\(outerMember): .object([\(list)])\(end)"
    }

    /// The dictionary in several lines, each with as many elements as fit.
    func brokenLines(depth: Int) -> [String] {
        guard let outerMember else { return [start] + elementLines(depth: depth + 1) + [end] }
        let object = ["\(outerMember): .object(["] + elementLines(depth: depth + 2) + ["])"]
        return [start] + Lines.indented(object) + [end]
    }

    /// The elements, each with a comma after it, as many in a line as fit.
    private func elementLines(depth: Int) -> [String] {
        let lines = Lines.filled(elements.map { "\($0)," }, separator: " ", depth: depth)
        return Lines.indented(lines)
    }
}
