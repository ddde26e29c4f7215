/// The problem details of RFC 9457: `typealias Failure = ProblemDetails`.
///
/// A member of the wrong type is ignored (section 3.1). If an API has members of its own, declare a ``JSONResponse``
/// with those members instead.
public struct ProblemDetails: JSONResponse, Error, Hashable {
    /// A URI that identifies the problem type; `about:blank` if the status is all there is to say.
    public let type: String
    /// A short summary of the problem type.
    public let title: String?
    /// The status that the body names.
    public let status: Int?
    /// An explanation of this occurrence of the problem.
    public let detail: String?
    /// A URI that identifies this occurrence of the problem.
    public let instance: String?

    /// Creates problem details.
    public init(
        type: String = "about:blank",
        title: String? = nil,
        status: Int? = nil,
        detail: String? = nil,
        instance: String? = nil
    ) {
        self.type = type
        self.title = title
        self.status = status
        self.detail = detail
        self.instance = instance
    }

    /// Decodes problem details; a member of the wrong type counts as missing.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        type = (try? members.decode(String.self, forKey: .type)) ?? "about:blank"
        title = try? members.decode(String.self, forKey: .title)
        status = try? members.decode(Int.self, forKey: .status)
        detail = try? members.decode(String.self, forKey: .detail)
        instance = try? members.decode(String.self, forKey: .instance)
    }

    /// `application/problem+json`.
    public static var acceptedTypes: [MIMEType] { [.problemJSON] }

    private enum CodingKeys: CodingKey {
        case type, title, status, detail, instance
    }
}
