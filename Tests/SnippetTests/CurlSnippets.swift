import APIKit

#if os(Linux)
func configuredClient() -> CurlClient {
    var configuration = CurlClient.Configuration()
    configuration.rootCertificates = URL(filePath: "/etc/internal/roots.pem")
    configuration.proxy = .system
    let client = CurlClient(configuration)
    return client
}

func usersOverCurl() async throws -> [User] {
    let client = CurlClient()
    let users = try await client.send(UsersRequest())
    return users
}
#endif

func pins() -> PublicKeyPins? {
    let pins = PublicKeyPins(
        "mZ3Up2Lg6yDu3AhXtSQ9zvR3O43RUjE5BnBAq9Y6hJQ=",
        backup: "r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E=")
    return pins
}
