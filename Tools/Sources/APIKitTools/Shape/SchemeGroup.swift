/// The security schemes of one credential: they are sent in the same way, and all requirements name them in the same
/// way. A bearer token and OAuth 2.0 both send a token. If each operation accepts both, they are one credential.
struct SchemeGroup {
    /// How the credential is sent.
    let kind: SecurityScheme.Kind
    /// The schemes, of which the first one gives the credential its name.
    private(set) var schemes: [SecurityScheme]

    /// A requirement that names a security scheme.
    private struct SchemeUse: Hashable {
        /// The list of alternatives that has the requirement: 0 for that of the API, 1 for that of its first operation.
        let listIndex: Int
        /// The other schemes that the requirement names. A request needs all of them together.
        let otherSchemes: [String]
    }

    /// What the security schemes of one group have in common.
    private struct Key: Hashable {
        let kind: SecurityScheme.Kind
        let uses: Set<SchemeUse>
    }

    /// Groups the security schemes of an API that the library supports. Schemes that requirements name come first.
    static func groups(in api: API) -> [SchemeGroup] {
        let usesByScheme = usesOfSchemes(in: api)
        let mostUses = largestUses(usesByScheme, api.securitySchemes)
        let used = api.securitySchemes.filter { usesByScheme[$0.name] != nil }
        let unused = api.securitySchemes.filter { usesByScheme[$0.name] == nil }
        var groups: [SchemeGroup] = []
        var positions: [Key: Int] = [:]
        for scheme in used + unused where scheme.kind.isSupported {
            // A scheme that no requirement names joins the group of its kind that most requirements name.
            let uses = usesByScheme[scheme.name] ?? mostUses[scheme.kind] ?? []
            let key = Key(kind: scheme.kind, uses: uses)
            if let position = positions[key] {
                groups[position].schemes.append(scheme)
            } else {
                positions[key] = groups.count
                groups.append(SchemeGroup(kind: scheme.kind, schemes: [scheme]))
            }
        }
        return groups
    }

    /// Finds the requirements that name each security scheme, those of the API and of its operations. A scheme that no
    /// requirement names has no entry.
    private static func usesOfSchemes(in api: API) -> [String: Set<SchemeUse>] {
        var uses: [String: Set<SchemeUse>] = [:]
        let lists = [api.security ?? []] + api.endpoints.map { $0.security ?? [] }
        for (index, list) in lists.enumerated() {
            for requirement in list {
                for name in requirement.schemeNames {
                    let others = requirement.schemeNames.filter { $0 != name }
                    uses[name, default: []].insert(SchemeUse(listIndex: index, otherSchemes: others))
                }
            }
        }
        return uses
    }

    /// Finds the uses of the scheme that most requirements name, among the schemes of each kind.
    private static func largestUses(
        _ usesByScheme: [String: Set<SchemeUse>], _ schemes: [SecurityScheme]
    ) -> [SecurityScheme.Kind: Set<SchemeUse>] {
        var largest: [SecurityScheme.Kind: Set<SchemeUse>] = [:]
        for scheme in schemes {
            let uses = usesByScheme[scheme.name] ?? []
            let largestCount = largest[scheme.kind]?.count ?? 0
            if uses.count > largestCount { largest[scheme.kind] = uses }
        }
        return largest
    }
}
