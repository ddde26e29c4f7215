public import APIKitCore
import APIKitSupport
import APIKitTesting
import OpenAPIRules

/// A description of an API in OpenAPI 3.0 or 3.1, as JSON, with which tests compare endpoints.
///
/// ```swift
/// let gitHub = try APIDescription(contentsOf: file)
/// #expect(gitHub.problems(with: UsersRequest(since: 46)) == [])
/// ```
///
/// Endpoints may be written by hand or generated. <doc:CheckingAgainstADescription> says what is compared, and what is
/// not.
public struct APIDescription: Sendable {
    let root: Definition
    let operations: [Operation]

    /// Reads a description from a file.
    ///
    /// - Throws: ``TransportError`` with the code `fileFailed` if the file cannot be read; ``ContentError`` with the
    ///   code `invalidDescription` and the place of the mistake if it is not JSON in OpenAPI 3.0 or 3.1, or refers to
    ///   other files.
    public init(contentsOf file: URL) throws {
        let open = try OpenFile.reading(file)
        try self.init(try open.read(0..<open.size()), name: file.lastPathComponent)
    }

    /// Reads a description.
    ///
    /// - Parameters:
    ///   - data: The text, in JSON.
    ///   - name: The name of the description in errors.
    /// - Throws: ``ContentError`` with the code `invalidDescription` and the place of the mistake.
    public init(_ data: Data, name: String = "the text") throws(ContentError) {
        let root = try DescriptionReader.document(data, name: name)
        self.root = root
        operations = (root["paths"]?.members ?? []).flatMap { Operation.all(of: $1, path: $0, root: root) }
    }

    // MARK: - Endpoints

    /// The differences between an endpoint and its operation; empty if there are none.
    ///
    /// The request of ``APIRequest/httpRequest()`` is compared with the operation, except for variables of the base
    /// that have no value yet. The endpoint's `Response` and `Failure` have to decode the examples of the description,
    /// and values that are created from its schemas. Create the endpoint with a value for each optional property, since
    /// properties that are nil are not sent and not compared.
    ///
    /// - Parameters:
    ///   - endpoint: The request. Nothing is sent.
    ///   - ignored: The codes of problems to leave out.
    /// - Returns: A problem for each difference.
    public func problems(with endpoint: some APIRequest, ignoring ignored: Set<Problem.Code> = []) -> [Problem] {
        let endpointType = type(of: endpoint)
        var problems: [Problem] = []
        do throws(MissingOperation) {
            let found = try lookUp(endpoint)
            problems.add(RequestCheck.problems(endpoint, found.request, found.match), of: "\(endpointType)")
            let responses = ResponseCheck.problems(endpointType, found.match.operation, found.request, self)
            problems.add(responses, of: "\(endpointType)")
        } catch {
            problems.add([error.problem], of: "\(endpointType)")
        }
        return problems.filter { !ignored.contains($0.code) }
    }

    /// The operations without an endpoint, and the endpoints without an operation.
    ///
    /// - Parameters:
    ///   - endpoints: One request of each endpoint.
    ///   - tags: The tags of the operations that should have an endpoint; empty for all operations.
    /// - Returns: The problems, with the codes `unusedOperation`, `unknownOperation` and `invalidRequest`.
    public func coverageProblems(of endpoints: [any APIRequest], tags: Set<String> = []) -> [Problem] {
        var problems: [Problem] = []
        var used: Set<String> = []
        for endpoint in endpoints {
            do throws(MissingOperation) {
                let found = try lookUp(endpoint)
                used.insert(found.match.operation.name)
            } catch {
                problems.add([error.problem], of: "\(type(of: endpoint))")
            }
        }
        for operation in operations where !used.contains(operation.name) {
            let operationTags = operation.definition.list("tags").compactMap(\.string)
            let isWanted = tags.isEmpty || !tags.isDisjoint(with: operationTags)
            guard isWanted else { continue }
            let problem = Problem(.unusedOperation, "", "has no endpoint", operation.definition.pointer)
            problems.add([problem], of: operation.name)
        }
        return problems
    }

    /// The examples of responses that do not fit their own schemas. These are mistakes in the description.
    public var invalidExamples: [Problem] {
        var problems: [Problem] = []
        for operation in operations {
            for (status, response) in operation.responses {
                for (_, media) in response["content"]?.members ?? [] {
                    let place = Place.titled("response \(status)")
                    let found = media.responseExamples.compactMap { media.mistake(in: $0, at: place) }
                    problems.add(found, of: operation.name)
                }
            }
        }
        return problems
    }

    // MARK: - Operations

    /// The request of an endpoint, and the operation that it matches.
    private struct Found {
        let request: HTTPRequest
        let match: Operation.Match
    }

    /// The error of an endpoint whose operation cannot be found.
    private struct MissingOperation: Error {
        let problem: Problem
    }

    /// Creates the request of an endpoint and finds its operation.
    private func lookUp(_ endpoint: some APIRequest) throws(MissingOperation) -> Found {
        let request: HTTPRequest
        do throws(RequestError) {
            // A client sets the variables of a base, such as an account. The mask fits every schema.
            request = try endpoint.httpRequest(base: endpoint.base.settingEveryVariable(to: Masking.mask))
        } catch {
            throw MissingOperation(problem: Problem(.invalidRequest, "", error.description, "#"))
        }
        // The URL alone does not show which slashes belong to values. The endpoint's path has more slashes than its
        // template if values contain some: `files/a/b` has one more than `files/{path}`.
        let path = endpoint.path.description
        let slashesInValues = path.slashCount - endpoint.path.template.slashCount
        guard let match = match(request.method.rawValue, request.url, slashesInValues: slashesInValues) else {
            throw MissingOperation(problem: unknownOperation(request.method.rawValue, request.url))
        }
        return Found(request: request, match: match)
    }

    /// The best match between a request and an operation; nil if no operation matches.
    func match(_ method: String, _ url: URL, slashesInValues: Int = 0) -> Operation.Match? {
        let matches = matches(url, slashesInValues: slashesInValues).filter { $0.operation.method == method }
        return matches.max { $0.isWorse(than: $1) }
    }

    /// The matches of a URL with the operations of all methods.
    private func matches(_ url: URL, slashesInValues: Int) -> [Operation.Match] {
        let text = PathTemplate.normalized(url.absoluteString.prefix { $0 != "?" && $0 != "#" })
        return operations.compactMap { $0.match(text, slashesInValues: slashesInValues) }
    }

    /// The problem of a request that matches no operation.
    func unknownOperation(_ method: String, _ url: URL) -> Problem {
        var message = "is \(method) \(url.shown), which the description does not have"
        var pointer = "#/paths"
        // If only the method is wrong, the message names the methods of the path.
        let others = matches(url, slashesInValues: 0).map(\.operation)
        if let first = others.first {
            message += ", but \(others.map(\.method).joined(separator: ", "))"
            pointer = Reference.pointer(pointer, first.path)
        }
        return Problem(.unknownOperation, "", message, pointer)
    }
}

extension URL {
    /// The URL for a message: without its query, and with secrets masked.
    var shown: String { Masking.masked(String(absoluteString.prefix { $0 != "?" })) }
}
