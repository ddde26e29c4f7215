/// A failure as RFC 9457 describes it: `typealias Failure = ProblemDetails`.
///
/// A member of the wrong type is ignored (section 3.1). Members of an API's own make a type of its own, a
/// ``JSONAPIResponse`` with the members it wants.
public struct ProblemDetails: JSONAPIResponse, Error, Hashable {
    /// A URI that names the kind of problem; `about:blank` where the status says it all.
    public let type: String
    /// What kind of problem this is, in words.
    public let title: String?
    /// The status, as the server wrote it into the body.
    public let status: Int?
    /// What is wrong this time, in words.
    public let detail: String?
    /// A URI that names this occurrence.
    public let instance: String?

    /// Makes a problem of its members.
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

    /// Reads a problem; a member of the wrong type counts as missing.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Members.self)
        type = (try? members.decode(String.self, forKey: .type)) ?? "about:blank"
        title = try? members.decode(String.self, forKey: .title)
        status = try? members.decode(Int.self, forKey: .status)
        detail = try? members.decode(String.self, forKey: .detail)
        instance = try? members.decode(String.self, forKey: .instance)
    }

    /// Problem details in JSON.
    public static var acceptedTypes: [MIMEType] { [.problemJSON] }

    private enum Members: CodingKey {
        case type
        case title
        case status
        case detail
        case instance
    }
}
