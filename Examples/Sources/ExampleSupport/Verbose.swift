public import APIKitFoundation

/// A client that prints what goes over the wire, with secrets masked, to the standard error output.
public struct Verbose: APIClient {
    private let base: any APIClient

    /// Makes a client that prints what `base` is asked and answers.
    public init(_ base: any APIClient) {
        self.base = base
    }

    /// Performs the request, and prints it and its answer.
    public func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        note(request.description, mark: ">")
        let response = try await base.perform(request)
        note("\(response.head)\n\n\(response.body)", mark: "<")
        return response
    }

    private func note(_ text: String, mark: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { "\(mark) \($0)\n" }
        FileHandle.standardError.write(Data((lines.joined() + "\n").utf8))
    }
}
