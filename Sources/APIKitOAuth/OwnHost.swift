import APIKitCore
import APIKitSupport
import Foundation

/// Recognizes the hosts that lead to this computer, in every spelling that a resolver or a browser understands.
///
/// | Host | Examples |
/// | --- | --- |
/// | a name for this computer (RFC 6761, section 6.3) | `localhost`, `a.localhost.`, `ip6-localhost` |
/// | the name of this computer, alone, with its domain, or with `.local` | what `gethostname` returns |
/// | an IPv4 address of 127.0.0.0/8 or 0.0.0.0/8, as `inet_aton` reads it | `127.0.0.1`, `127.1`, `0x7f000001`, `0` |
/// | an IPv6 address that is `::1` or `::`, or contains such an IPv4 address | `[::1]`, `[::ffff:127.0.0.1]` |
///
/// Each may have upper-case letters, percent-encoding and a dot at its end. A host that resolvers may read in another
/// way counts as this computer, too: one with encoded characters that no name of DNS has, such as a space, a zero byte
/// or a letter outside of ASCII, and one that ends in a number but is no address, such as `6425673729`, of which some
/// systems take the last 32 bits. A name that only DNS leads to this computer is not recognized: that takes a request,
/// and its response may be another one the next time.
enum OwnHost {
    /// Whether a host of a URL leads to this computer.
    ///
    /// - Parameters:
    ///   - host: The host, with or without the brackets of an IPv6 address.
    ///   - ownName: The name of this computer; nil if it is not known.
    /// - Returns: Whether it does. False for a name that only DNS leads here.
    static func leadsToThisComputer(_ host: String, ownName: String? = OwnHost.ownName) -> Bool {
        var host = host.fullyDecoded.lowercased()
        guard host.utf8.allSatisfy({ $0 < 0x80 }) else { return true }
        while host.hasSuffix(".") { host.removeLast() }
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        if host.contains(":") { return isLoopback(ipv6: host) }
        guard host.utf8.allSatisfy(isUsual) else { return true }
        if let address = ipv4Address(host) { return isLoopback(ipv4: address) }
        if endsInNumber(host) { return true }
        return names.contains(host) || host.hasSuffix(".localhost") || isOwn(host, ownName)
    }

    // MARK: - Names

    /// Whether a byte may be in a name of DNS or in an IPv4 address.
    private static func isUsual(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        default: false
        }
    }

    /// Whether the last label of a host is a number, perhaps with a sign. No name of DNS is like that.
    private static func endsInNumber(_ host: String) -> Bool {
        let last = host.split(separator: ".").last ?? ""
        let digits = last.hasPrefix("-") ? last.dropFirst() : last
        if digits.hasPrefix("0x") { return digits.dropFirst(2).allSatisfy(\.isHexDigit) }
        return !digits.isEmpty && digits.allSatisfy(\.isNumber)
    }

    private static let names: Set<String> = [
        "localhost", "localhost.localdomain", "localhost4", "localhost4.localdomain4", "localhost6",
        "localhost6.localdomain6", "ip6-localhost", "ip6-loopback",
    ]

    /// The name of this computer; nil if the system does not say it.
    static let ownName: String? = {
        var bytes = [CChar](repeating: 0, count: 256)
        // The last byte stays zero, even if the name was cut.
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return nil }
        let name = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return name.isEmpty ? nil : name
    }()

    private static func isOwn(_ host: String, _ ownName: String?) -> Bool {
        guard let ownName = ownName?.lowercased() else { return false }
        let label = ownName.prefix { $0 != "." }
        return host == ownName || host == label || host == "\(label).local"
    }

    // MARK: - Addresses

    private static func isLoopback(ipv4 address: UInt32) -> Bool {
        let network = address >> 24
        // A connection to 0.0.0.0 is one to this computer.
        return network == 127 || network == 0
    }

    /// Reads an address of one to four numbers, of which the last one fills the remaining bytes; each may be decimal,
    /// hexadecimal (`0x7f`) or octal (`0177`).
    ///
    /// - Returns: The address; nil if the host is a name.
    private static func ipv4Address(_ host: String) -> UInt32? {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...4).contains(parts.count) else { return nil }
        var address: UInt64 = 0
        for part in parts.dropLast() {
            guard let byte = number(part), byte <= 0xFF else { return nil }
            address = address << 8 | byte
        }
        let remainingBits = UInt64(8 * (5 - parts.count))
        guard let last = number(parts[parts.count - 1]), last >> remainingBits == 0 else { return nil }
        return UInt32(address << remainingBits | last)
    }

    /// A number in the notation of C.
    private static func number(_ text: Substring) -> UInt64? {
        guard text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "z") ~= $0 }) else { return nil }
        if text.hasPrefix("0x") {
            let digits = text.dropFirst(2)
            return digits.isEmpty ? 0 : UInt64(digits, radix: 16)
        }
        if text.hasPrefix("0") { return UInt64(text, radix: 8) }
        return UInt64(text, radix: 10)
    }

    /// Whether a host is an IPv6 address of this computer: `::1`, `::`, an address that contains an IPv4 address of
    /// this computer, or one with the zone of the loopback interface, as in `fe80::1%lo0`.
    private static func isLoopback(ipv6 host: String) -> Bool {
        let text = String(host.prefix { $0 != "%" })
        // The zone names a network interface. Those of this computer to itself are `lo` and `lo0`.
        if host.dropFirst(text.count).hasPrefix("%lo") { return true }
        var address = in6_addr()
        guard inet_pton(AF_INET6, text, &address) == 1 else { return false }
        let bytes = withUnsafeBytes(of: address) { Array($0) }
        let ipv4 = bytes.suffix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let containsIPv4 = ipv4Prefixes.contains(Array(bytes.prefix(12)))
        // `::` and `::1` have the first of these prefixes, twelve zeros, and so count as 0.0.0.0 and 0.0.0.1. Both lie
        // in 0.0.0.0/8, which `isLoopback(ipv4:)` accepts.
        return containsIPv4 && isLoopback(ipv4: ipv4)
    }

    /// The first 12 bytes of IPv6 addresses that contain an IPv4 address: IPv4-compatible and IPv4-mapped ones (RFC
    /// 4291, section 2.5.5), and those of NAT64 (RFC 6052, section 2.1).
    private static let ipv4Prefixes: [[UInt8]] = [
        [UInt8](repeating: 0, count: 12),
        [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF],
        [0x00, 0x64, 0xFF, 0x9B] + [UInt8](repeating: 0, count: 8),
    ]
}
