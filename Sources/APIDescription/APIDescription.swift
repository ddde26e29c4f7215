public import APIKitCore
import APIKitTesting

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
    let root: Node
    let operations: [Operation]

    /// Reads a description from a file.
    ///
    /// - Throws: ``FileError`` if the file cannot be read; ``ContentError`` with the code `invalidDescription` and the
    ///   place of the mistake if it is not JSON in OpenAPI 3.0 or 3.1, or refers to other files.
    public init(contentsOf file: URL) throws {
        let open = try OpenFile.reading(file)
        var data = Data()
        while case let part = try open.read(upTo: 1 << 20), !part.isEmpty { data += part }
        try self.init(data, name: file.lastPathComponent)
    }

    /// Reads a description.
    ///
    /// - Parameters:
    ///   - data: The text, in JSON.
    ///   - name: What errors call it.
    /// - Throws: ``ContentError`` with the code `invalidDescription` and the place of the mistake.
    public init(_ data: Data, name: String = "the text") throws(ContentError) {
        let root = try DescriptionReader.document(data, name: name)
        self.root = root
        operations = (root["paths"]?.members ?? []).flatMap { path, item in
            let item = item.resolved
            return Operation.methods.compactMap { method in
                item[method].map { Operation($0, method: method, path: path, of: item, root: root) }
            }
        }
    }

    // MARK: - Endpoints

    /// What differs between an endpoint and its operation, one problem for each difference; empty if nothing does.
    ///
    /// Compared are what ``APIRequest/httpRequest()`` sends, and what the endpoint's `Response` and `Failure` read: the
    /// examples of the description, and values that its schemas allow. Create the request with values that are worth
    /// comparing, and not nil.
    ///
    /// - Parameters:
    ///   - endpoint: The request. Nothing is sent.
    ///   - ignored: The codes of problems to leave out.
    /// - Returns: The problems.
    public func problems(with endpoint: some APIRequest, ignoring ignored: Set<Problem.Code> = []) -> [Problem] {
        let name = String(describing: type(of: endpoint))
        let all: [Problem]
        do throws(RequestError) {
            let request = try endpoint.httpRequest()
            all =
                operation(of: endpoint, request).map { problems(with: endpoint, request, $0, name) }
                ?? [unknownOperation(request.method.rawValue, request.url, name)]
        } catch {
            all = [invalidRequest(error, name)]
        }
        return all.filter { !ignored.contains($0.code) }
    }

    private func problems(
        with endpoint: some APIRequest, _ request: HTTPRequest, _ match: Operation.Match, _ name: String
    ) -> [Problem] {
        let operation = match.operation
        let security = root["components"]?["securitySchemes"]?.members.map(\.node.resolved) ?? []
        var check = RequestCheck(
            operation, ownHeaders: endpoint.headers, joinsLists: endpoint.base.parameterStyle.lists == .commas)
        if !match.hasServer {
            let servers = operation.node["servers"] ?? root["servers"] ?? root
            let url = Masking.masked(String(request.url.absoluteString.prefix { $0 != "?" }))
            check.add(.unknownServer, "", "is sent to \(url), and the description names other servers", servers)
        }
        check.checkPath(match.values)
        check.checkQuery(request.url, security: security)
        check.checkHeaders(request.headers, security: security)
        check.checkBody(request.body, type: request.headers[.contentType].map(MIMEType.init(rawValue:)))
        let responses = ResponseCheck.findings(type(of: endpoint), operation, request.url)
        return problems(check.findings + responses, name)
    }

    func problems(_ findings: [SchemaCheck.Finding], _ name: String) -> [Problem] {
        findings.map {
            Problem(code: $0.code, endpoint: name, member: $0.member, message: $0.message, pointer: $0.pointer)
        }
    }

    /// The examples of responses that do not fit their own schemas.
    public var invalidExamples: [Problem] {
        operations.flatMap { operation in
            let findings = operation.responses.flatMap { status, response in
                response["content"]?.members.flatMap { _, media in
                    media.responseExamples.flatMap { example in
                        media["schema"].map {
                            SchemaCheck.findings(example.value, $0, "response \(status) ", .response)
                        }?.prefix(1).map { $0.with(.invalidExample, example.pointer) } ?? []
                    }
                } ?? []
            }
            return problems(findings, operation.name)
        }
    }

    // MARK: - Operations

    private func operation(of endpoint: some APIRequest, _ request: HTTPRequest) -> Operation.Match? {
        // The endpoint knows which slashes belong to values.
        let counts = [URLPath.template(of: endpoint), endpoint.path.description].map { path in
            path?.drop { $0 == "/" }.count { $0 == "/" }
        }
        let inValues = counts[0].flatMap { own in counts[1].map { $0 - own } }
        return match(request.method.rawValue, request.url, slashesInValues: inValues ?? 0)
    }

    /// The operation that is nearest to the URL of a request; nil if none matches.
    func match(_ method: String, _ url: URL, slashesInValues: Int = 0) -> Operation.Match? {
        matches(url, slashesInValues).filter { $0.operation.method == method }.max {
            ($0.hasServer ? 1 : 0, $0.rank) < ($1.hasServer ? 1 : 0, $1.rank)
        }
    }

    private func matches(_ url: URL, _ slashesInValues: Int = 0) -> [Operation.Match] {
        let text = PathTemplate.normalized(url.absoluteString.prefix { $0 != "?" && $0 != "#" })
        let authority = text.firstRange(of: "://").map { text[$0.upperBound...] } ?? ""
        let path = String(authority.drop { $0 != "/" })
        let slashCount = path.utf8.count { $0 == UInt8(ascii: "/") } - slashesInValues
        return operations.compactMap {
            $0.match(url: text, path: path, slashCount: slashesInValues > 0 ? slashCount : nil)
        }
    }

    private func invalidRequest(_ error: RequestError, _ name: String) -> Problem {
        Problem(code: .invalidRequest, endpoint: name, member: "", message: error.description, pointer: "#")
    }

    func unknownOperation(_ method: String, _ url: URL, _ name: String) -> Problem {
        let others = matches(url).map(\.operation)
        let path = others.first?.path ?? Masking.masked(url.path(percentEncoded: true))
        let hint = others.isEmpty ? "" : ", but \(others.map(\.method).joined(separator: ", ")) of that path"
        return Problem(
            code: .unknownOperation, endpoint: name, member: "",
            message: "is \(method) \(path); the description has no such operation\(hint)",
            pointer: others.first.map { Node.pointer("#/paths", $0.path) } ?? "#/paths")
    }

    /// The operations that no endpoint of a list sends, and the endpoints that send none.
    ///
    /// ```swift
    /// #expect(gitHub.coverageProblems(of: [UsersRequest(since: 46), UserRequest(login: "octocat")], tags: ["users"]) == [])
    /// ```
    ///
    /// - Parameters:
    ///   - endpoints: One request of each endpoint.
    ///   - tags: The tags of operations that should have an endpoint; empty for all operations.
    /// - Returns: The problems, with the codes `unusedOperation`, `unknownOperation` and `invalidRequest`.
    public func coverageProblems(of endpoints: [any APIRequest], tags: Set<String> = []) -> [Problem] {
        var (problems, used): ([Problem], Set<String>) = ([], [])
        func note(_ endpoint: some APIRequest) {
            let name = String(describing: type(of: endpoint))
            do throws(RequestError) {
                let request = try endpoint.httpRequest()
                if let match = operation(of: endpoint, request) {
                    used.insert(match.operation.name)
                } else {
                    problems.append(unknownOperation(request.method.rawValue, request.url, name))
                }
            } catch {
                problems.append(invalidRequest(error, name))
            }
        }
        for endpoint in endpoints { note(endpoint) }
        for operation in operations where !used.contains(operation.name) {
            let own = operation.node["tags"]?.elements.compactMap(\.string) ?? []
            guard tags.isEmpty || !tags.isDisjoint(with: own) else { continue }
            problems.append(
                Problem(
                    code: .unusedOperation, endpoint: operation.name, member: "", message: "has no endpoint",
                    pointer: operation.node.pointer))
        }
        return problems
    }
}
