import APIKit
import Foundation
import Testing

@testable import APIKitFoundation

/// The keys as `openssl x509 -pubkey` and `openssl pkey -outform der` print them.
@Suite struct PublicKeyInfoTests {
    private static let cases: [(String, String)] = [
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
            MIIBmjCCAQMCFDyjGWk4UMUh0+2AUiYxE287bklwMA0GCSqGSIb3DQEBCwUAMAwxCjAIBgNVBAMMAWIwHhcNMjYxMTIzMDUyNjQ1WhcN\
            MzYxMTIwMDUyNjQ1WjAMMQowCAYDVQQDDAFiMIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC+VvbdVCwVROchd+UFEeS7pQ7tn+FA\
            4+qAKLqTaSPz6mnQpEcwdYyRokhOK/m5GTZM8eUVfnygUvs3EdwWgXpbie2CX/tsmojwOCKVdS+09HpaqeLjnPO25RgtuqpWHvnbU0NE\
            dIjf4QS1YtqrHj5kwcl2swFzvzZYCowJpM2TfwIDAQABMA0GCSqGSIb3DQEBCwUAA4GBAGnjcAvV/yN0ruhknta2mUPUn+iGCjpA7K3y\
            U9fHx02vr7/YT+GJQRgTJLeTWTpCltIan1263jDXA9Snmk3QBtMHmpQryjrDGWKwwjSAyFI0qzorqzYF6VE6QbhofTBb0sgkEcMtmrkM\
            NjHYoXcB6n7zxED1Dqmv2JGFfanaslIR
            """,
            """
            MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC+VvbdVCwVROchd+UFEeS7pQ7tn+FA4+qAKLqTaSPz6mnQpEcwdYyRokhOK/m5GTZM\
            8eUVfnygUvs3EdwWgXpbie2CX/tsmojwOCKVdS+09HpaqeLjnPO25RgtuqpWHvnbU0NEdIjf4QS1YtqrHj5kwcl2swFzvzZYCowJpM2T\
            fwIDAQAB
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
