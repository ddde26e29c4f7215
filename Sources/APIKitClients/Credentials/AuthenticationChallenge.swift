public import APIKitCore
public struct AuthenticationChallenge: Sendable { public let scheme: String; public subscript(name: String) -> String? { nil } }
extension HTTPHeaders { public var challenges: [AuthenticationChallenge] { [] } }
extension CredentialSource { public func isRefusal(_ response: HTTPResponse) -> Bool { response.head.status == 401 } }
