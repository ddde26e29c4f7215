/// Chooses the folders of the endpoints' files. An endpoint is in the folder of its first tag.
///
/// Many descriptions have no tags, or the same one for all endpoints. If that would leave many files in one folder, the
/// folders are named after the first segments of the paths.
struct EndpointFolders {
    /// The number of files that fit well in one folder.
    private static let largestFolder = 20

    private let plan: Plan
    /// Whether all endpoints have the same first tag or none, so that it does not group them.
    private let haveSameTag: Bool
    /// Whether the endpoints that tags do not group are grouped by their paths.
    private let usesPaths: Bool

    /// Decides whether tags suffice to group the endpoints of a plan.
    init(_ plan: Plan) {
        self.plan = plan
        let tags = plan.endpoints.map(\.endpoint.tags.first)
        haveSameTag = Set(tags).count == 1
        let ungrouped = haveSameTag ? tags.count : tags.count { $0 == nil }
        usesPaths = ungrouped > Self.largestFolder
    }

    /// The path of an endpoint's file, such as `Endpoints/Orders/OrdersRequest.swift`. Without a name for a folder, it
    /// is `Endpoints/OrdersRequest.swift`.
    func path(of shape: EndpointShape) -> String {
        let folder = SwiftName.type(group(of: shape.endpoint))
        // A text without letters and digits gets the same name as the empty text.
        let hasFolder = folder != SwiftName.type("")
        return hasFolder ? "Endpoints/\(folder)/\(shape.name).swift" : "Endpoints/\(shape.name).swift"
    }

    /// The tag or the segment that an endpoint's folder is named after; empty if there is none.
    private func group(of endpoint: Endpoint) -> String {
        let isGroupedByTag = !haveSameTag && !endpoint.tags.isEmpty
        if usesPaths, !isGroupedByTag { return firstNoun(of: endpoint) }
        return endpoint.tags.first ?? ""
    }

    /// The first segment of the path below the base that is not a value or a version: `orders` for `v2/orders/{id}`;
    /// empty if there is none.
    private func firstNoun(of endpoint: Endpoint) -> String {
        for segment in plan.path(of: endpoint).split(separator: "/") {
            let isValue = segment.contains("{")
            let isVersion = segment.first == "v" && segment.dropFirst().allSatisfy { $0.isNumber || $0 == "." }
            if isValue || isVersion || segment == "api" { continue }
            // `orders` for `orders.json` and `orders:search`.
            return String(segment.prefix { $0 != "." && $0 != ":" })
        }
        return ""
    }
}
