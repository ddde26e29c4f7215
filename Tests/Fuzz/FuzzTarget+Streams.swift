import APIKitCore
import Foundation

@testable import APIKitStreams

extension FuzzTarget {
    /// Lines do not depend on how the bytes are cut, hold no ending, and together are the bytes.
    static let lines = FuzzTarget("lines", seeds: ["a\nb\r\nc\rd", "\u{FEFF}a\r\r\n\n", "\r\n", "{}\r\n[1]\n", ""]) {
        input in
        for isEnding in [true, false] {
            let whole = lines(of: [input.data], isEnding)
            require(lines(of: input.pieces, isEnding) == whole, "the lines depend on the pieces")
            for line in whole {
                require(!line.contains(0x0A) && !(isEnding && line.contains(0x0D)), "a line holds its ending")
            }
            let text = input.data.filter { $0 != 0x0A && !(isEnding && $0 == 0x0D) }
            require(Data(whole.joined()) == text, "bytes are lost")
        }
    }

    /// Events do not depend on how the bytes are cut, and are those of a stream with other endings of lines.
    static let events = FuzzTarget(
        "events",
        seeds: [
            "data: a\ndata: b\n\n", "event: x\r\nid: 1\r\nretry: 10\r\ndata\r\n\r\n",
            ": comment\n\ndata:x\r\rid\0: 2\n\n",
            "id: a\0\ndata: {\"a\":1}\n\n", "retry: 99999999999999999999\n\n", "data: cut off",
        ]
    ) { input in
        let whole = events(of: [input.data])
        require(events(of: input.pieces) == whole, "the events depend on the pieces")
        let feeds = input.data.replacing(Data("\r\n".utf8), with: Data("\n".utf8)).map { $0 == 0x0D ? 0x0A : $0 }
        require(events(of: [Data(feeds)]) == whole, "the events depend on the endings of the lines")
    }

    /// The text so far does not depend on how it is cut, and that of each start of JSON is JSON.
    static let partialJSON = FuzzTarget(
        "partial-json",
        seeds: [
            #"{"a":[1,2,{"b":"\ud83d\ude00\n"}],"c":true}"#, #"["\u00e9",-1.5e3,null,[[]],{}]"#, #"{"a":"é\ud83dx"}"#,
            "tru",
            #"[1,{"q":"\\"#, "[[[]],",
        ]
    ) { input in
        let text = input.text
        var (partial, rest) = (PartialJSON(), text.unicodeScalars[...])
        let isJSON = text.utf8.count < 300 && isJSON(text)
        while !rest.isEmpty {
            let count = isJSON ? 1 : 1 + Int(rest.first?.value ?? 0) % 5
            partial.append(String(Substring(rest.prefix(count))))
            rest = rest.dropFirst(count)
            if isJSON, let start = partial.textSoFar { require(Self.isJSON(start), start) }
        }
        require(partial.text == text, "the text is \(partial.text)")
        require(partial.textSoFar == PartialJSON(text).textSoFar, "it depends on the pieces")
    }

    private static func isJSON(_ text: String) -> Bool {
        (try? JSONReader().decode(Anything.self, from: Data(text.utf8))) != nil
    }

    private struct Anything: Decodable {
        init(from decoder: any Decoder) {}
    }

    private static func lines(of pieces: [Data], _ carriageReturnEndsLine: Bool) -> [[UInt8]] {
        var splitter = LineSplitter(limit: .max, carriageReturnEndsLine: carriageReturnEndsLine)
        var lines: [[UInt8]] = []
        for piece in pieces {
            splitter.append(piece)
            while let line = try? splitter.next() { lines.append(Array(line)) }
        }
        return lines + (splitter.takeRest().map { [Array($0)] } ?? [])
    }

    /// The events as text, each with the id and the pause after it.
    private static func events(of pieces: [Data]) -> [String] {
        var parser = EventParser()
        return lines(of: pieces, true).map { line in
            let event = try? parser.parse(line[...], limit: 1 << 20)
            return "\(event.map { "\($0)" } ?? "") \(parser.lastEventID) \(parser.retry ?? .zero)"
        }
    }
}
