/// A charset that text is read from, strictly: bytes that are not text in it give nil, where `String` would repair
/// them.
enum Charset {
    case utf8
    case ascii
    case latin1
    case utf16(isBigEndian: Bool?)
    case utf32(isBigEndian: Bool?)

    init?(name: String) {
        switch name {
        case "utf-8", "utf8": self = .utf8
        case "us-ascii", "ascii": self = .ascii
        case "iso-8859-1", "iso8859-1", "latin1": self = .latin1
        case "utf-16": self = .utf16(isBigEndian: nil)
        case "utf-16be": self = .utf16(isBigEndian: true)
        case "utf-16le": self = .utf16(isBigEndian: false)
        case "utf-32": self = .utf32(isBigEndian: nil)
        case "utf-32be": self = .utf32(isBigEndian: true)
        case "utf-32le": self = .utf32(isBigEndian: false)
        default: return nil
        }
    }

    /// The text of some bytes, with a byte order mark where there is one.
    func text(of data: Data) -> String? {
        switch self {
        case .utf8:
            let text = String(decoding: data, as: UTF8.self)
            return text.utf8.elementsEqual(data) ? text : nil
        case .ascii:
            return data.allSatisfy { $0 < 0x80 } ? String(decoding: data, as: UTF8.self) : nil
        case .latin1:
            return String(String.UnicodeScalarView(data.map { Unicode.Scalar($0) }))
        case .utf16(let isBigEndian):
            guard let units: [UInt16] = Self.units(of: data, isBigEndian: isBigEndian) else { return nil }
            let text = String(decoding: units, as: UTF16.self)
            return text.utf16.elementsEqual(units) ? text : nil
        case .utf32(let isBigEndian):
            guard let units: [UInt32] = Self.units(of: data, isBigEndian: isBigEndian) else { return nil }
            let scalars = units.compactMap(Unicode.Scalar.init)
            return scalars.count == units.count ? String(String.UnicodeScalarView(scalars)) : nil
        }
    }

    /// The code units of some bytes. Without an order, a byte order mark tells it, and else it is big-endian (RFC 2781,
    /// section 4.3).
    private static func units<Unit: FixedWidthInteger>(of data: Data, isBigEndian: Bool?) -> [Unit]? {
        let width = Unit.bitWidth / 8
        guard data.count.isMultiple(of: width) else { return nil }
        let bytes = Array(data)
        let units = stride(from: 0, to: bytes.count, by: width).map { start in
            bytes[start..<(start + width)].reduce(Unit.zero) { $0 << 8 | Unit($1) }
        }
        let swappedMark = (0xFEFF as Unit).byteSwapped
        return isBigEndian ?? (units.first != swappedMark) ? units : units.map(\.byteSwapped)
    }
}
