import APIKitSupport
import TestSupport
import Testing

@testable import APIKitCore
@testable import APIKitRecording

@Suite struct SecretVocabularyTests {
    private let own = SecretVocabulary(secret: ["Badge", "x y"], harmless: ["KEY", "badge"])

    @Test(
        arguments: [
            ("badge", true), ("BADGE", true), ("badges", false), ("b%61dge", true), ("x%20y", true), ("key", false),
            ("api_key", true), ("token", true), ("userPin", true), ("userpin", false), ("name", false),
        ] as [(String, Bool)])
    func knowsNamesOfCaller(_ name: String, _ isSecret: Bool) { #expect(own.contains(name) == isSecret) }

    @Test(
        arguments: [
            ("badge=1&key=2", "badge=***&key=2", ["1"]),
            ("?next=%3Fbadge%3D7%26a%3D1", "?next=***", ["7"]),
            ("Bearer abc, key: d", "Bearer ***, key: d", ["abc"]), ("a=1", "a=1", []),
        ] as [(String, String, [String])])
    func masksAndReturnsSecrets(
        _ text: String, _ masked: String, _ secrets: [String]
    ) {
        let result = Masking.masked(text, own)
        #expect(result.text == masked)
        #expect(result.secrets == secrets)
    }
}
