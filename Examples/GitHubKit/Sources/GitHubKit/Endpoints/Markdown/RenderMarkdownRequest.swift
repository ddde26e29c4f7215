public import APIKit

/// Renders a markdown.
public struct RenderMarkdownRequest: GitHubRequest, JSONRequest {
    /// The response.
    public typealias Response = String
    /// The text.
    public var text: String
    /// The repository that `#1` refers to.
    public var context: String?
    /// The mode.
    public var mode: Mode?

    /// A mode.
    public enum Mode: String, ParameterValue { case markdown, gfm }

    /// Creates a value.
    public init(text: String, context: String? = nil, mode: Mode? = nil) {
        self.text = text
        self.context = context
        self.mode = mode
    }

    /// The method.
    public var method: HTTPMethod { .post }
    /// The path.
    public var path: URLPath { "markdown" }
    /// The parameters.
    public var parameters: Parameters { ["text": text, "context": context, "mode": mode] }
}
