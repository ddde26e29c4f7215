public import APIKit

/// What the API reports for a rejected request.
public struct GitHubError: GitHubModel, LocalizedError {
    public let status: String?
    public let message: String
    /// What is wrong with the request.
    public let errors: [Mistake]?
    public let documentationURL: String?
    public var errorDescription: String? { message }

    /// What is wrong with a member of a request.
    public struct Mistake: Decodable, Sendable {
        /// Such as `missing_field`.
        public let code: String
        public let message: String?
        public let field: String?
        public let resource: String?
    }
}
