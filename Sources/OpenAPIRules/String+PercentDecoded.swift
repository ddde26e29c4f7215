import APIKitCore
import APIKitSupport

extension StringProtocol {
    /// The text with each `%XX` decoded; the text itself if the decoded bytes are not UTF-8.
    package var percentDecoded: String {
        guard utf8.contains(UInt8(ascii: "%")) else { return String(self) }
        var decoded: [UInt8] = []
        var rest = Array(utf8)[...]
        while let (byte, _) = rest.popPercentDecoded() { decoded.append(byte) }
        return String(bytes: decoded, encoding: .utf8) ?? String(self)
    }
}
