/// The files of a description, through which references lead.
///
/// Whoever reads a description decides which files it may have, and what an error says. How a reference is followed is
/// the same for all.
public protocol DescriptionFiles {
    /// The error of a reference that cannot be followed.
    associatedtype Failure: Error

    /// The root of a file that a reference names.
    ///
    /// - Parameters:
    ///   - file: The path of the file, relative to the folder of the description's first file.
    ///   - reference: The text of the reference.
    ///   - element: The value that contains the reference.
    /// - Returns: The root.
    /// - Throws: An error if the description may not have that file, or if it cannot be read.
    func root(of file: String, for reference: String, in element: Element) throws(Failure) -> Element

    /// The error for a reference that cannot be followed.
    ///
    /// - Parameters:
    ///   - problem: The problem.
    ///   - element: The value that contains the reference.
    /// - Returns: The error.
    func error(_ problem: ReferenceProblem, in element: Element) -> Failure
}

/// Why a reference cannot be followed.
public enum ReferenceProblem: Hashable, Sendable {
    /// The value of `$ref` is not a text.
    case notText
    /// The reference leads to another server.
    case otherServer(String)
    /// The file that the reference names has no value at that place.
    case missing(String)
    /// The reference leads to another one, and so on, and the last one leads back to one of them.
    case cycle(String)
}

// MARK: - Following references

extension DescriptionFiles {
    /// The value at the end of a chain of references; the element itself if it is not a reference.
    ///
    /// - Throws: An error if a reference leads nowhere, or if the chain leads back to itself.
    public func target(of element: Element) throws(Failure) -> Element {
        var target = element
        var visited: Set<String> = []
        while let member = target.node["$ref"] {
            guard let reference = member.string else { throw error(.notText, in: target) }
            target = try self.target(of: reference, in: target)
            let isNew = visited.insert(target.id).inserted
            guard isNew else { throw error(.cycle(reference), in: element) }
        }
        return target
    }

    /// The value that a reference names, which may be a reference itself: `#/components/schemas/User`, `user.yaml` or
    /// `../shared.yaml#/User`.
    ///
    /// - Parameters:
    ///   - text: The reference.
    ///   - element: The value that contains it. A name of a file is relative to this value's file.
    /// - Returns: The value.
    /// - Throws: An error if there is no such value.
    public func target(of text: String, in element: Element) throws(Failure) -> Element {
        let reference = Reference(text)
        if reference.file.contains("://") { throw error(.otherServer(text), in: element) }
        var target = try root(of: reference.file(relativeTo: element.file), for: text, in: element)
        for key in reference.keys {
            guard let next = target.child(key) else { throw error(.missing(text), in: element) }
            target = next
        }
        return target
    }
}
