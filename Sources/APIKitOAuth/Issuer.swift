/// Compares the identifiers of authorization servers.
enum Issuer {
    /// Whether an issuer in metadata is the one that was asked for. They are compared as texts, and not as URLs (RFC
    /// 8414, section 3.3): two names that lead to one host may be two issuers. The only difference that is accepted is
    /// the slash after a host, which has no meaning in a URL (RFC 3986, section 6.2.3), and which some servers add.
    ///
    /// | Named | Published | Same |
    /// | --- | --- | --- |
    /// | `https://a.example` | `https://a.example` | yes |
    /// | `https://a.example` | `https://a.example/` | yes, and the other way round |
    /// | `https://a.example/b` | `https://a.example/b/` | no |
    /// | `https://a.example` | `https://A.example` | no |
    static func isSame(_ named: String, _ published: String) -> Bool {
        withoutSlashAfterHost(named).utf8.elementsEqual(withoutSlashAfterHost(published).utf8)
    }

    /// The issuer without its path if that is only a slash.
    private static func withoutSlashAfterHost(_ issuer: String) -> Substring {
        guard let hostStart = issuer.firstRange(of: "://")?.upperBound else { return issuer[...] }
        let host = issuer[hostStart...].prefix { !"/?#".contains($0) }
        return issuer[host.endIndex...] == "/" ? issuer.dropLast() : issuer[...]
    }
}
