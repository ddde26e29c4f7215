import APIKit
import Foundation
import Testing

@testable import APIKitFoundation

/// The keys as `openssl x509 -pubkey` and `openssl pkey -outform der` print them.
@Suite struct PublicKeyInfoTests {
    private static let cases = [
        (
            // Version 3, a key of P-256.
            """
            MIIBbjCCAROgAwIBAgIUGnZ+lWJDuPZXl0C6SYj42RoumLgwCgYIKoZIzj0EAwIwDDEKMAgGA1UEAwwBYTAeFw0yNjExMjIxNDUy\
            MjZaFw0zNjExMTkxNDUyMjZaMAwxCjAIBgNVBAMMAWEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQegysXZ8n2QMNB21b+goc0\
            k3o6MFBB8j+tUU1HBclYgrAC9Q6Tkd9OB7yUuwwtPoqSjKhP8IEK1D9nzlrasHw5o1MwUTAdBgNVHQ4EFgQUi02xrqKZ9LqwrXyd\
            XO9qlVFHbqwwHwYDVR0jBBgwFoAUi02xrqKZ9LqwrXydXO9qlVFHbqwwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBG\
            AiEA0o+Wow55d7v+wY3C/WeKukI4K6bhe8Jfg+Mt5zE06qECIQCc0C1z4Wlk46WeYT6naKqgNcH2tzkctcb2QXKtVfmLxQ==
            """,
            """
            MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEHoMrF2fJ9kDDQdtW/oKHNJN6OjBQQfI/rVFNRwXJWIKwAvUOk5HfTge8lLsMLT6K\
            koyoT/CBCtQ/Z85a2rB8OQ==
            """
        ),
        (
            // Version 1, which has no field for that, and a key of RSA.
            """
            MIICnzCCAYcCFAH6/Wy57ovOC+i98QG3+T0/xq6FMA0GCSqGSIb3DQEBCwUAMAwxCjAIBgNVBAMMAWIwHhcNMjYxMTIyMTQ1MjI2\
            WhcNMzYxMTE5MTQ1MjI2WjAMMQowCAYDVQQDDAFiMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAocgdtei+r86F+xJ1\
            LcfpChxTm/cC3RSz9gmVZfCFXsXB95L3erc8XjcDNcgVmNg/EufgIqpgeyxZtdLd4C1kvGeGAhrbXqSfoz4daNej7cAwEycueBrP\
            5zluypyLF9llmNDwaFPZZNlR63A7ItV1eb/RK9KkZx46Z3VsgTXv0PJV/vB92UOxrg7dJvX5D8OEIjVCGWSAQFQO054gN0dGUmK2\
            dofFun/n1hP9XCTq4CjNtLGUXQGexmpbVK5ZU2cl3zryCZWHRfTCIrip7XXYASDjmD9WIdWUNxjdMB2whALIHTGD7g5wfWCJzDZS\
            +yFde/ogKKcsX12CQ3wJ0HDNGwIDAQABMA0GCSqGSIb3DQEBCwUAA4IBAQAkY+8lxEA2XjdlVQHORJdneggTRcvgPCbqMRFo3H19\
            Znof9adtf8DdhMpSE483+VzBAO5XcWfVvoeLy1r+04NxyRnmy2HlIYT+wvlAvA8tzyRKb3wNq8rrMjdOlYgEesPL+t8AHL1ZW//A\
            MhDMhqK49ysD8OCGeuGvJMRPfuybVuIW6YeZpb+hxmom86HuE/9ybNe7zDhcRADuAsVempC6jhNNNHxOzH7fbf591lbsIEbW4B7j\
            L0b5q7uVbhA2Cm9f/F2iuEbDa2c2sBAvUTJIvT7nrj47uOcPyRiSkeE8M9hlYuxh1AN76Og6F1IfW7hNhTOtR7bPLPW3wSrDxlt4
            """,
            """
            MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAocgdtei+r86F+xJ1LcfpChxTm/cC3RSz9gmVZfCFXsXB95L3erc8XjcD\
            NcgVmNg/EufgIqpgeyxZtdLd4C1kvGeGAhrbXqSfoz4daNej7cAwEycueBrP5zluypyLF9llmNDwaFPZZNlR63A7ItV1eb/RK9Kk\
            Zx46Z3VsgTXv0PJV/vB92UOxrg7dJvX5D8OEIjVCGWSAQFQO054gN0dGUmK2dofFun/n1hP9XCTq4CjNtLGUXQGexmpbVK5ZU2cl\
            3zryCZWHRfTCIrip7XXYASDjmD9WIdWUNxjdMB2whALIHTGD7g5wfWCJzDZS+yFde/ogKKcsX12CQ3wJ0HDNGwIDAQAB
            """
        ),
    ]

    @Test(arguments: cases) func keyOfACertificate(certificate: String, key: String) throws {
        let certificate = try #require(Data(base64Encoded: certificate))
        #expect(PublicKeyInfo.bytes(inCertificate: certificate) == Data(base64Encoded: key))
        #expect(PublicKeyInfo.bytes(inCertificate: Data([1, 2, 3]) + certificate) == nil)
    }

    @Test(arguments: cases) func damagedCertificateHasNoKeyOrAnother(certificate: String, key: String) throws {
        let certificate = try #require(Data(base64Encoded: certificate))
        for count in 0..<certificate.count {
            #expect(PublicKeyInfo.bytes(inCertificate: certificate.prefix(count)) == nil)
        }
        for index in certificate.indices {
            var damaged = certificate
            for byte in [0x00, 0x7F, 0x80, 0xFF] as [UInt8] {
                damaged[index] = byte
                _ = PublicKeyInfo.bytes(inCertificate: damaged)
            }
        }
    }
}
