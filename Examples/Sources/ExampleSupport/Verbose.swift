public import APIKit

/// A client that prints requests and responses to standard error, with secrets masked.
public struct Verbose: WrappingClient {
    /// The client whose requests and responses are printed.
    public let base: any APIClient

    /// Creates a client that prints the requests and responses of `base`.
    public init(_ base: any APIClient) {
        self.base = base
    }

    /// Performs the request, and prints it and its response.
    public func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        write(request.description, mark: ">")
        let response = try await base.perform(request, in: call)
        write("\(response.head)\n\n\(response.body)", mark: "<")
        return response
    }

    private func write(_ text: String, mark: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { "\(mark) \($0)\n" }
        FileHandle.standardError.write(Data((lines.joined() + "\n").utf8))
    }
}
