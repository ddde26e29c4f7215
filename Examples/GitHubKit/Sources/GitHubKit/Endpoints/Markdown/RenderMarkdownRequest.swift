public import APIKit

public struct RenderMarkdownRequest: GitHubRequest, JSONRequest {
    public typealias Response = String
    public var text: String
    /// The repository that `#1` refers to.
    public var context: String?
    public var mode: Mode?

    public enum Mode: String, ParameterValue { case markdown, gfm }

    public init(text: String, context: String? = nil, mode: Mode? = nil) {
        self.text = text
        self.context = context
        self.mode = mode
    }

    public var method: HTTPMethod { .post }
    public var path: URLPath { "markdown" }
    public var parameters: Parameters { ["text": text, "context": context, "mode": mode] }
}
