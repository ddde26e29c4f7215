import Foundation

/// The codes and tokens that ``AccountsAPI`` has issued.
actor AccountGrants {
    static let clientID = "apikit-example"

    /// How many seconds an access token is valid. With so few, each request of the example renews it.
    static let lifetime = 10

    enum Outcome {
        case issued(access: String, refresh: String)
        case refused(String)
    }

    private struct Code {
        let challenge, redirectURI: String
    }

    private struct Device {
        let userCode: String
        var isConfirmed = false
    }

    private struct Tokens {
        let access, refresh: String
        let expires: Date
    }

    private var codes: [String: Code] = [:]
    private var devices: [String: Device] = [:]
    private var tokens: [Tokens] = []

    func newCode(challenge: String, redirectURI: String) -> String {
        let code = UUID().uuidString
        codes[code] = Code(challenge: challenge, redirectURI: redirectURI)
        return code
    }

    /// A code is redeemed once, by the program that started the sign-in: only it knows the verifier (RFC 7636).
    func redeem(_ code: String, verifier: String, redirectURI: String) -> Outcome {
        guard let code = codes.removeValue(forKey: code), code.redirectURI == redirectURI else {
            return .refused("invalid_grant")
        }
        let hash = Data(SHA256.hash(verifier.utf8)).base64EncodedString()
        let challenge = hash.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        guard challenge == code.challenge else { return .refused("invalid_grant") }
        return issue()
    }

    func newDevice() -> (device: String, user: String) {
        let device = UUID().uuidString
        let letters = "BCDFGHJKLMNPQRSTVWXZ"
        let userCode = String((0..<8).compactMap { _ in letters.randomElement() })
        devices[device] = Device(userCode: userCode)
        return (device, userCode)
    }

    /// Returns whether there is such a code.
    func confirm(_ userCode: String) -> Bool {
        guard let device = devices.first(where: { $0.value.userCode == userCode })?.key else { return false }
        devices[device]?.isConfirmed = true
        return true
    }

    func redeemDevice(_ code: String) -> Outcome {
        guard let device = devices[code] else { return .refused("invalid_grant") }
        guard device.isConfirmed else { return .refused("authorization_pending") }
        devices[code] = nil
        return issue()
    }

    /// Replaces both tokens (RFC 9700, section 4.14).
    func refresh(_ token: String) -> Outcome {
        guard let index = tokens.firstIndex(where: { $0.refresh == token }) else { return .refused("invalid_grant") }
        tokens.remove(at: index)
        return issue()
    }

    func revoke(_ token: String) {
        tokens.removeAll { $0.access == token || $0.refresh == token }
    }

    func accepts(_ access: String) -> Bool {
        tokens.contains { $0.access == access && $0.expires > Date() }
    }

    private func issue() -> Outcome {
        let new = Tokens(
            access: UUID().uuidString, refresh: UUID().uuidString,
            expires: Date(timeIntervalSinceNow: TimeInterval(Self.lifetime)))
        tokens.append(new)
        return .issued(access: new.access, refresh: new.refresh)
    }
}
