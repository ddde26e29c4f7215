import OpenAPIRules
import Yams

/// Reads YAML 1.1, as far as it means the same as JSON.
struct YAMLParser {
    // Yams has a type of this name, too.
    typealias Node = OpenAPIRules.Node

    private let file: String
    /// The number of values that may still be read.
    ///
    /// Aliases can make a small file expand to billions of values. Without aliases, a file has fewer values than bytes.
    /// So the limit is the file's size, and an allowance for aliases that is enough for a large description.
    private var remainingValues: Int

    /// Reads a text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - file: Its name, for messages.
    ///   - aliased: The maximum number of values that aliases may add.
    /// - Returns: The value of the document.
    /// - Throws: ``DescriptionError`` with the line of the first mistake.
    static func parse(_ text: String, file: String, aliased: Int = 500_000) throws -> Node {
        do {
            guard let node = try Yams.compose(yaml: text, .basic) else {
                throw DescriptionError("the file is empty", at: Place(file: file))
            }
            // Without aliases, a text has at most one value per byte.
            let limit = text.utf8.count + aliased
            var parser = YAMLParser(file: file, limit: limit)
            return try parser.convert(node, depth: 0)
        } catch let error as DescriptionError {
            throw error
        } catch {
            throw syntaxError(error, file: file)
        }
    }

    private init(file: String, limit: Int) {
        self.file = file
        remainingValues = limit
    }

    /// Converts an error of Yams to one with the problem and its line, such as `the member "id" appears twice`.
    private static func syntaxError(_ error: any Error, file: String) -> DescriptionError {
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            return DescriptionError(problem, at: Place(file: file, line: mark.line))
        case .duplicatedKeysInMapping(let keys, let context):
            let message = "the member \"\(keys.first ?? "")\" appears twice"
            return DescriptionError(message, at: Place(file: file, line: context.mark.line))
        case .reader(let problem, _, _, _):
            return DescriptionError("the text is not YAML: \(problem)", at: Place(file: file))
        default:
            // Other errors are not described, since their own descriptions quote the whole text.
            return DescriptionError("the text is not YAML", at: Place(file: file))
        }
    }

    /// Converts a value of Yams with all values within it. Each value is counted, also if an alias repeats it, so that
    /// nested aliases cannot multiply the values without limit.
    private mutating func convert(_ node: Yams.Node, depth: Int) throws -> Node {
        let line = node.mark?.line ?? 0
        let place = Place(file: file, line: line)
        remainingValues -= 1
        guard remainingValues > 0 else {
            throw DescriptionError("the file has too many values by its aliases", at: place)
        }
        guard depth <= JSONParser.maximumDepth else {
            let limit = JSONParser.maximumDepth
            throw DescriptionError("lists and objects are nested more than \(limit) deep", at: place)
        }
        switch node {
        case .scalar(let scalar):
            return Node(content(of: scalar), line: Int32(line))
        case .sequence(let sequence):
            let elements = try sequence.map { try convert($0, depth: depth + 1) }
            return Node(.list(elements), line: Int32(line))
        case .mapping(let mapping):
            return Node(.object(try members(of: mapping, depth: depth, place)), line: Int32(line))
        case .alias:
            throw DescriptionError("an alias cannot be resolved", at: place)
        }
    }

    /// Converts the members of an object. The key `<<` merges the members of another object into it (YAML 1.1):
    /// `{<<: {a: 1, b: 2}, b: 3}` has the members `a` and `b`, which are 1 and 3. The object's own members take
    /// precedence.
    private mutating func members(
        of mapping: Yams.Node.Mapping, depth: Int, _ place: Place
    ) throws -> Node.Members {
        var members: Node.Members = [:]
        var merged: Node.Members = [:]
        for (key, value) in mapping {
            guard case .scalar(let name) = key else {
                throw DescriptionError("the name of a member is not a text", at: place)
            }
            let node = try convert(value, depth: depth + 1)
            // Only an object can be merged. Another value, such as a list, is a member with an unusual name.
            if name.string == "<<", case .object(let others) = node.content {
                merged = others
                continue
            }
            let isRepeated = members.updateValue(node, forKey: name.string) != nil
            if isRepeated {
                throw DescriptionError("the member \"\(name.string)\" appears twice", at: place)
            }
        }
        for (name, node) in merged where members[name] == nil { members[name] = node }
        return members
    }

    /// Interprets words without quotes by YAML's core schema (1.2.2, section 10.3.2): `yes` and dates are texts.
    private func content(of scalar: Yams.Node.Scalar) -> Node.Content {
        // Yams has the style `any` for a scalar whose style it does not know. It is read like one without quotes.
        let isPlain = scalar.style == .plain || scalar.style == .any
        // In quotes or in a block, `true` and `1` are texts.
        if !isPlain { return .text(scalar.string) }
        switch scalar.string {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .boolean(true)
        case "false", "False", "FALSE": return .boolean(false)
        case let text where Self.isNumber(text): return .number(text)
        case let text: return .text(text)
        }
    }

    /// Whether a word is a number. Swift also reads words such as `nan` and `infinity` as numbers, which begin with a
    /// letter.
    private static func isNumber(_ text: String) -> Bool {
        guard let first = text.utf8.first, "-+.0123456789".utf8.contains(first) else { return false }
        return Double(text) != nil
    }
}
