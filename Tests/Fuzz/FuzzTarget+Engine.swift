import APIKitSupport
import Foundation

@testable import APIKitCore
@testable import APIKitCurl

extension FuzzTarget {
    /// A head has a final status and clean headers, and is one whatever follows it.
    static let head = FuzzTarget(
        "head",
        seeds: [
            "HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\nX: y\r\n", "HTTP/1.1 100 Continue\n\nHTTP/2 204\n\n",
            "HTTP/1.0 101 x\r\n\r\n",
            "HTTP/1.1 099 x\r\n\r\n", "HTTP/1.1 200\r\n: a\r\nb\r\n\r\n", "HTTP/1.1 200 x\r\nA:\0\r\n\r\n",
            "HTTP/1.1 200\r\n \r\n\r\n",
            "HTTP/1.1 103 a\r\nSet-Cookie: a=1;\r\n b\r\n\r\nHTTP/1.1 200 b\r\nSet-Cookie:c=\r\n\r\n",
        ],
        data: [Data("HTTP/1.1 200 OK\r\nName: caf".utf8) + [0xE9, 0x0D, 0x0A, 0x0D, 0x0A]]
    ) { input in
        var reader = HeadReader(keepsCookies: true)
        for line in input.data.split(separator: 0x0A, omittingEmptySubsequences: false) {
            let wasComplete = reader.isComplete
            require(wasComplete || reader.trailers.isEmpty, "trailers come before the body")
            for field in reader.trailers {
                let text = "\(field.name)\(field.value)".utf8
                require(!text.contains { $0 == 0 || $0 == 0x0A || $0 == 0x0D }, "\(field)")
            }
            let result = Data(line + [0x0A]).withUnsafeBytes { line in Result { try reader.read(line: line) } }
            guard case .success(let head) = result else { return }
            require((head != nil) == (reader.isComplete && !wasComplete), "a head is not reported once")
            guard let head else { continue }
            require((200...999).contains(head.status), "the status is \(head.status)")
            for field in head.headers {
                let text = "\(field.name)\(field.value)".utf8
                require(!text.contains { $0 == 0 || $0 == 0x0A || $0 == 0x0D }, "\(field)")
            }
        }
    }

    /// A complete body decodes to the same bytes however it is cut, and no body to more than a step at a time.
    static let decoders = FuzzTarget(
        "decoders",
        seeds: [],
        data: [
            "Z0hlbGxv",  // not compressed
            "Zx+LCAAAAAAAAgPLSM3JyVfIQJAAgIj55REAAAA=",
            "Zx+LCAAAAAAAAgNLTAIAbUiDngIAAAAfiwgAAAAAAAIDAwAAAAAAAAAAAB+LCAAAAAAAAgNLTgEA2o/WRQIAAAA=",
            "Z3icS0wcBcQCANioca0=", "YgsCgGhlbGxvAw==", "Yhu3C/glwuKxQCBuAAA=",
            "eii1L/0EWGUAADBoZWxsbyABADFKEaLtHgw=",
        ].compactMap { Data(base64Encoded: $0) }
    ) { input in
        guard let first = input.data.first else { return }
        let coding = [UInt8(ascii: "b"): "br", UInt8(ascii: "z"): "zstd"][first, default: "gzip"]
        let body = FuzzInput(data: Data(input.data.dropFirst()))
        // libzstd accepts some malformed frames in pieces that it refuses as a whole.
        guard let whole = decoded([body.data], coding), let pieces = decoded(body.pieces, coding),
            whole.isComplete, pieces.isComplete
        else { return }
        require(whole.bytes == pieces.bytes, "it depends on the pieces")
    }

    /// At most a megabyte of a body; nil if the body is refused, or the system lacks the decoder.
    private static func decoded(_ pieces: [Data], _ coding: String) -> (bytes: Data, isComplete: Bool)? {
        guard let decoder = ContentDecoder(coding) else { return nil }
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: ContentDecoder.stepSize)
        defer { buffer.deallocate() }
        var bytes = Data()
        for piece in pieces {
            piece.withUnsafeBytes { decoder.add($0) }
            while !decoder.isDrained {
                let left = decoder.input.count
                guard let count = try? decoder.decode(into: buffer) else { return nil }
                require(count <= buffer.count, "a step of \(count) bytes")
                require(count > 0 || decoder.input.count < left || decoder.isDrained, "a step does nothing")
                bytes += buffer[..<count]
                if bytes.count > 1 << 20 { return (bytes.prefix(1 << 20), false) }
            }
        }
        return (bytes, decoder.isComplete)
    }

    /// A shell reads a command line as the request that it was written from, and never runs a part of it.
    static let curl = FuzzTarget(
        "curl",
        seeds: [
            "a b?c='d'\nit's\nbody % \\ 'x'\n\0", "\u{301}'\u{301}\n'; touch x;'\n%s\\061",
            "?token=abc\nBearer abc\n{\"pin\":1}",
            "$(x)\n`x`\n--\n--x",
        ]
    ) { input in
        let parts = input.parts(3)
        guard let url = URL(string: "https://example.com/\(parts[0])"), !parts[1].trimmingSpaces().isEmpty else {
            return
        }
        let request = HTTPRequest(
            method: .put, url: url, headers: ["X-Note": parts[1], .authorization: "Bearer 0123456789abcdef"],
            body: .data(Data(parts[2].utf8), contentType: nil))
        require(!request.curlCommand.contains("0123456789abcdef"), request.curlCommand)
        for command in [request.curlCommand, request.curlCommand(showingSecrets: true)] {
            _ = require(shellWords(of: command), command)
        }
        let command = request.curlCommand(showingSecrets: true)
        let words = shellWords(of: command) ?? []
        require(words.contains(Array(url.absoluteString.utf8)), command)
        require(words.contains(Array("X-Note: \(parts[1])".utf8)), command)
        guard !parts[2].isEmpty else { return }
        require(words[1...3] == [Array("printf".utf8), Array("--".utf8), words[3]], command)
        require(printed(words[3]) == Array(parts[2].utf8), command)
    }

    /// The words of a command line as a POSIX shell reads them; nil if a word in no quotes holds more than letters,
    /// digits and what these commands are written with.
    private static func shellWords(of command: String) -> [[UInt8]]? {
        var (words, word, isQuoted): ([[UInt8]], [UInt8]?, Bool) = ([], nil, false)
        var rest = Array(command.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "'"):
                isQuoted.toggle()
                word = word ?? []
            case _ where isQuoted: word?.append(byte)
            case UInt8(ascii: " "), UInt8(ascii: ";"):
                if let word { words.append(word) }
                word = nil
            case UInt8(ascii: "\\"):
                guard rest.popFirst() == UInt8(ascii: "'") else { return nil }
                word = (word ?? []) + "'".utf8
            case _ where ByteSet.unreserved.contains(byte) || "{}|@".utf8.contains(byte):
                word = (word ?? []) + [byte]
            default: return nil
            }
        }
        return isQuoted ? nil : words + (word.map { [$0] } ?? [])
    }

    /// What `printf` prints for a format; nil if that takes an argument.
    private static func printed(_ format: [UInt8]) -> [UInt8]? {
        var (output, rest): ([UInt8], ArraySlice<UInt8>) = ([], format[...])
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\") else {
                output.append(byte)
                continue
            }
            if rest.first == byte {
                output.append(rest.removeFirst())
            } else {
                guard byte == UInt8(ascii: "\\"),
                    let octal = UInt8(String(decoding: rest.prefix(3), as: UTF8.self), radix: 8)
                else { return nil }
                output.append(octal)
                rest = rest.dropFirst(3)
            }
        }
        return output
    }
}
