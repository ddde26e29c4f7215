/// Chooses the folders of the endpoints' files. An endpoint is in the folder of its first tag.
///
/// Many descriptions have no tags, or the same one for all endpoints. If that would leave many files in one folder, the
/// folders are named after the first segments of the paths.
///
/// If an earlier run has written endpoints, its choice stays: one more endpoint would otherwise move all files.
struct EndpointFolders {
    /// What the folders are named after.
    private enum Layout: CaseIterable {
        /// The first tags.
        case tags
        /// The first tags and, of endpoints without a tag, the paths.
        case tagsAndPaths
        /// The paths.
        case paths
    }

    /// The number of files that fit well in one folder.
    private static let largestFolder = 20

    private let plan: Plan
    private let layout: Layout

    /// Chooses what the folders of the endpoints of a plan are named after.
    ///
    /// - Parameters:
    ///   - plan: The plan.
    ///   - earlierPaths: The paths of the files that earlier runs have written.
    init(_ plan: Plan, earlierPaths: Set<GeneratedPath> = []) {
        self.plan = plan
        let best = Self.bestLayout(for: plan.endpoints.map(\.endpoint.tags.first))
        layout = Self.earlierLayout(of: plan, earlierPaths, insteadOf: best)
    }

    /// The path of an endpoint's file, such as `Endpoints/Orders/OrdersRequest.swift`. Without a name for a folder, it
    /// is `Endpoints/OrdersRequest.swift`.
    func path(of shape: EndpointShape) -> String { Self.path(of: shape, in: plan, layout) }

    /// The best layout for endpoints with these first tags, if there are no files yet.
    private static func bestLayout(for tags: [String?]) -> Layout {
        // The same tag of all endpoints, or no tag at all, groups nothing.
        let tagsGroup = Set(tags).count > 1
        let ungroupedCount = tagsGroup ? tags.count { $0 == nil } : tags.count
        if ungroupedCount <= largestFolder { return .tags }
        return tagsGroup ? .tagsAndPaths : .paths
    }

    /// The layout that most of the earlier files have; the best one if there are no files, or if several layouts lead
    /// to the same paths.
    private static func earlierLayout(
        of plan: Plan, _ earlierPaths: Set<GeneratedPath>, insteadOf best: Layout
    ) -> Layout {
        /// The number of endpoints whose file would stay where an earlier run wrote it.
        func fileCount(_ layout: Layout) -> Int {
            plan.endpoints.count { shape in
                GeneratedPath(path(of: shape, in: plan, layout)).map(earlierPaths.contains) == true
            }
        }
        var earlier = best
        var largestCount = fileCount(best)
        for layout in Layout.allCases {
            let count = fileCount(layout)
            if count > largestCount {
                earlier = layout
                largestCount = count
            }
        }
        return earlier
    }

    /// The path of an endpoint's file in a layout, without a folder if the layout has no name for it.
    private static func path(of shape: EndpointShape, in plan: Plan, _ layout: Layout) -> String {
        let folder = SwiftName.type(group(of: shape.endpoint, in: plan, layout))
        // A text without letters and digits gets the same name as the empty text.
        let hasFolder = folder != SwiftName.type("")
        return hasFolder ? "Endpoints/\(folder)/\(shape.name).swift" : "Endpoints/\(shape.name).swift"
    }

    /// The tag or the segment that an endpoint's folder is named after; empty if there is none.
    private static func group(of endpoint: Endpoint, in plan: Plan, _ layout: Layout) -> String {
        switch layout {
        case .tags: endpoint.tags.first ?? ""
        case .tagsAndPaths: endpoint.tags.first ?? plan.servers.firstNoun(of: endpoint)
        case .paths: plan.servers.firstNoun(of: endpoint)
        }
    }
}
