import APIKitCore
import Foundation
import TestSupport

/// Readers of what the library writes, made without any of its code.
enum WireDecoding {
    struct Malformed: Error { let text: String }

    struct Part: Equatable {
        var headers: [String]
        var body: [UInt8]
    }

    /// RFC 3986, section 2.1. A `%` without two hexadecimal digits is an error.
    static func percentDecoded(_ text: some Sequence<UInt8>, plusIsSpace: Bool = false) throws -> [UInt8] {
        var result: [UInt8] = []
        var rest = Array(text)[...]
        while let byte = rest.popFirst() {
            if byte == 0x25 {
                let digits = String(decoding: rest.prefix(2), as: UTF8.self)
                guard digits.count == 2, let value = UInt8(digits, radix: 16) else { throw Malformed(text: digits) }
                result.append(value)
                rest = rest.dropFirst(2)
            } else {
                result.append(plusIsSpace && byte == 0x2B ? 0x20 : byte)
            }
        }
        return result
    }

    /// The pairs of a query, or with `plusIsSpace` those of a form (WHATWG URL, section 5.1).
    static func pairs(_ text: some Sequence<UInt8>, plusIsSpace: Bool) throws -> [[[UInt8]]] {
        try Array(text).split(separator: 0x26, omittingEmptySubsequences: false).map { pair in
            let halves = pair.split(separator: 0x3D, maxSplits: 1, omittingEmptySubsequences: false)
            return try halves.map { try percentDecoded($0, plusIsSpace: plusIsSpace) }
        }
    }

    /// The parts of a multipart body (RFC 2046, section 5.1.1), which has no preamble and no epilogue.
    static func parts(_ body: [UInt8], boundary: String) throws -> [Part] {
        var parts: [Part] = []
        var lines = body[...]
        let delimiter = Array("--\(boundary)".utf8)
        guard lines.starts(with: delimiter) else { throw Malformed(text: "no delimiter at the start") }
        lines = lines.dropFirst(delimiter.count)
        while !lines.elementsEqual(Array("--\r\n".utf8)) {
            guard lines.starts(with: [0x0D, 0x0A]) else { throw Malformed(text: "no CRLF behind a delimiter") }
            lines = lines.dropFirst(2)
            guard let gap = lines.firstRange(of: Array("\r\n\r\n".utf8)) else { throw Malformed(text: "no empty line") }
            let head = String(decoding: lines[..<gap.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
            lines = lines[gap.upperBound...]
            guard let end = lines.firstRange(of: Array("\r\n".utf8) + delimiter) else {
                throw Malformed(text: "no end")
            }
            parts.append(Part(headers: head, body: Array(lines[..<end.lowerBound])))
            lines = lines[end.upperBound...]
        }
        return parts
    }
}
