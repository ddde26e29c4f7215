import Foundation

/// A text that is JSON by the letter of RFC 8259: in UTF-8, nested up to 512 deep, without half a pair of surrogates.
///
/// It judges what the decoders do, so it shares nothing with either.
struct StrictJSON: Sendable {
    /// Where the numbers are.
    private(set) var numbers: [Range<Int>] = []
    private let bytes: [UInt8]
    private var index = 0

    /// Checks a text; nil if it is not JSON.
    init?(_ data: Data) {
        bytes = Array(data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data)
        guard String(bytes: bytes, encoding: .utf8) != nil, skipValue(depth: 0) else { return nil }
        skipSpaces()
        guard index == bytes.count else { return nil }
    }

    // MARK: - Grammar

    /// The next byte; at the end a zero, which is part of no JSON.
    private var next: UInt8 { index < bytes.count ? bytes[index] : 0 }

    private mutating func skip(_ sign: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: sign) else { return false }
        index += 1
        return true
    }

    private mutating func skipSpaces() {
        while " \t\r\n".utf8.contains(next) { index += 1 }
    }

    private mutating func skipValue(depth: Int) -> Bool {
        skipSpaces()
        switch next {
        case UInt8(ascii: "{"): return depth < 512 && skipItems(until: "}", areMembers: true, depth: depth)
        case UInt8(ascii: "["): return depth < 512 && skipItems(until: "]", areMembers: false, depth: depth)
        case UInt8(ascii: "\""): return skipString()
        case UInt8(ascii: "t"): return skipWord("true")
        case UInt8(ascii: "f"): return skipWord("false")
        case UInt8(ascii: "n"): return skipWord("null")
        default: return skipNumber()
        }
    }

    private mutating func skipItems(until end: Unicode.Scalar, areMembers: Bool, depth: Int) -> Bool {
        index += 1
        skipSpaces()
        if skip(end) { return true }
        repeat {
            if areMembers {
                skipSpaces()
                guard skipString() else { return false }
                skipSpaces()
                guard skip(":") else { return false }
            }
            guard skipValue(depth: depth + 1) else { return false }
            skipSpaces()
        } while skip(",")
        return skip(end)
    }

    private mutating func skipWord(_ word: String) -> Bool {
        guard bytes[index...].starts(with: word.utf8) else { return false }
        index += word.utf8.count
        return true
    }

    private mutating func skipString() -> Bool {
        guard skip("\"") else { return false }
        while next >= 0x20, next != UInt8(ascii: "\"") {
            if !skip("\\") {
                index += 1
            } else if !skipEscape() {
                return false
            }
        }
        return skip("\"")
    }

    private mutating func skipEscape() -> Bool {
        if skip("u") {
            guard let unit = nextUnit(), !UTF16.isTrailSurrogate(unit) else { return false }
            guard UTF16.isLeadSurrogate(unit) else { return true }
            guard skip("\\"), skip("u"), let second = nextUnit() else { return false }
            return UTF16.isTrailSurrogate(second)
        }
        guard "\"\\/bfnrt".utf8.contains(next) else { return false }
        index += 1
        return true
    }

    /// The value of four hexadecimal digits.
    private mutating func nextUnit() -> UInt16? {
        let digits = bytes[index...].prefix(4)
        guard digits.count == 4, digits.allSatisfy("0123456789abcdefABCDEF".utf8.contains) else { return nil }
        index += 4
        return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    private mutating func skipNumber() -> Bool {
        let start = index
        _ = skip("-")
        guard skip("0") || skipDigits() else { return false }
        if skip("."), !skipDigits() { return false }
        if skip("e") || skip("E") {
            if !skip("+") { _ = skip("-") }
            guard skipDigits() else { return false }
        }
        numbers.append(start..<index)
        return true
    }

    private mutating func skipDigits() -> Bool {
        let start = index
        while "0123456789".utf8.contains(next) { index += 1 }
        return index > start
    }

    // MARK: - Numbers that JSONDecoder misreads

    /// The text with those numbers as plain integers that `JSONDecoder` refuses in another spelling: some zeros with an
    /// exponent, and whole numbers from 2 to the power of 53 with a fraction or an exponent.
    var respelled: Data {
        var (result, end): ([UInt8], Int) = ([], 0)
        for range in numbers {
            guard let integer = Self.integer(String(decoding: bytes[range], as: UTF8.self)) else { continue }
            result += bytes[end..<range.lowerBound]
            result += integer.utf8
            end = range.upperBound
        }
        return Data(result + bytes[end...])
    }

    /// Whether `JSONDecoder` may read a number as an integer although it is not whole: from 2 to the power of 53, it
    /// drops the fraction.
    static func losesFraction(_ number: Substring) -> Bool {
        guard number.contains(where: { ".eE".contains($0) }), let value = Double(number) else { return false }
        return value.isFinite && value.magnitude >= 0x1p53 && integer(String(number)) == nil
    }

    /// A number that is to be respelled, of up to 40 digits; nil for others.
    private static func integer(_ number: String) -> String? {
        let parts = number.lowercased().split(separator: "e")
        let digits = parts[0].split(separator: ".")
        guard parts.count > 1 || digits.count > 1 else { return nil }
        guard let exponent = parts.count > 1 ? Int(parts[1]) : 0, (-99...99).contains(exponent) else { return nil }
        let sign = number.hasPrefix("-") ? "-" : ""
        let fraction = digits.count > 1 ? String(digits[1]) : ""
        var whole = String(digits[0].drop { $0 == "-" }) + fraction
        if whole.allSatisfy({ $0 == "0" }) { return parts.count > 1 ? sign + "0" : nil }
        let places = exponent - fraction.count
        if places < 0 {
            guard whole.count > -places, whole.suffix(-places).allSatisfy({ $0 == "0" }) else { return nil }
            whole.removeLast(-places)
        } else {
            whole += String(repeating: "0", count: places)
        }
        whole = String(whole.drop { $0 == "0" })
        guard (16...40).contains(whole.count), let value = Double(whole), value >= 0x1p53 else { return nil }
        return sign + whole
    }
}
