import APIKitCore
import Testing

@Suite struct PublicKeyPinsTests {
    private let pin = "mZ3Up2Lg6yDu3AhXtSQ9zvR3O43RUjE5BnBAq9Y6hJQ="
    private let backup = "r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E="

    @Test func hashesHave32Bytes() throws {
        let pins = try #require(PublicKeyPins(pin, backup: backup, pin))
        #expect(pins.hashes.map(\.count) == [32, 32, 32])
        #expect(pins.hashes.map { $0.base64EncodedString() } == [pin, backup, pin])
    }

    @Test(arguments: ["", "YWJj", "sha256/mZ3Up2Lg6yDu3AhXtSQ9zvR3O43RUjE5BnBAq9Y6hJQ=", "no Base64"])
    func invalidPinIsRefused(other: String) {
        #expect(PublicKeyPins(other, backup: backup) == nil)
        #expect(PublicKeyPins(pin, backup: other) == nil)
        #expect(PublicKeyPins(pin, backup: backup, other) == nil)
    }
}
