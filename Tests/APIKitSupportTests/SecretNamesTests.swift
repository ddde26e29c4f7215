import TestSupport
import Testing

@testable import APIKitSupport

@Suite struct SecretNamesTests {
    @Test(arguments: [
        "Authorization", "Proxy-Authorization", "authorization", "Cookie", "Set-Cookie", "X-API-Key", "api-key",
        "api_key", "apiKey", "APIKEY", "key", "x-goog-api-key", "X-Auth-Token", "access_token", "accessToken",
        "refresh_token", "id_token", "token", "client_secret", "password", "passwd", "pwd", "user[password]",
        "user.password", "X-Amz-Signature", "X-Amz-Credential", "AWSAccessKeyId", "sig", "JSESSIONID",
        "PHPSESSID-session", "X-Auth-Key", "Ocp-Apim-Subscription-Key", "DD-APPLICATION-KEY", "privateKey",
        "passphrase", "jwt", "otp", "pin", "X-Auth", "Authentication", "X-GitHub-OTP", "X-OTP", "DPoP", "X-User-Pass",
        "X-Sid", "X-Pin", "encryptionKey", "client_assertion", "SAMLResponse", "signingKey", "pw", "pinCode",
        "PHPSESSID", "connect.sid", "ASP.NET_SessionId", "user[pin]", "userPIN", "otp2", "new_password_2", "csrf",
        "X-XSRF-TOKEN", "OTPValue", "device_code", "recoveryCode", "user%5Bpassword%5D", "X-Hub-Signature-256",
        "stripe_secret_key", "twilioAuthToken", "session_tokens", "tokens", "api_keys", "SECRET_KEY_BASE", "type_token",
        "secret_type", "PRIVATE-TOKEN", "X-Amz-Security-Token", "X-Session-Id", "X-CSRF-Token", "X-Hub-Signature",
        "upload_id", "uploadId", "tempauth",
    ]) func recognizesSecretNames(name: String) { #expect(SecretNames.contains(name)) }

    // Including names in GitHub's, Stripe's, Slack's and OpenAI's APIs.
    @Test(arguments: [
        "", "-", "Accept", "Content-Type", "User-Agent", "page", "per_page", "login", "id", "name", "monkey",
        "keyboard", "author", "authors", "design", "spin", "opinion", "passenger", "compass", "Idempotency-Key",
        "Sec-WebSocket-Key", "If-None-Match", "ETag", "Host", "WWW-Authenticate", "Link", "Location", "status", "q",
        "lat", "signal", "passage", "pinned", "bypass", "keys", "keynote", "turkey", "author_association",
        "authorize_url", "node_id", "avatar_url", "gravatar_id", "followers_url", "full_name", "pushed_at",
        "default_branch", "stargazers_count", "open_issues", "pull_request", "assignees", "mergeable_state", "sha",
        "required_signoff", "pinned_at", "amount", "currency", "customer", "payment_intent", "livemode",
        "statement_descriptor", "receipt_email", "postal_code", "country_code", "status_code", "error_code",
        "zip_code", "promo_code", "code", "decline_code", "code_challenge", "charge", "refunded", "invoice",
        "max_tokens", "total_tokens", "completion_tokens", "publishable_key", "public_key", "primaryKey", "cache-key",
        "X-RateLimit-Remaining", "X-GitHub-Request-Id", "X-OAuth-Scopes", "shipping", "mapping", "typing", "ping",
        "hippin", "assignment", "sidebar", "inside", "president", "residence", "passed", "compassPoint", "signed",
        "designer", "value", "uploads", "upload_name", "channel", "thread_ts", "spinCount", "openAuthor",
        "token_type", "tokenType",
    ]) func recognizesHarmlessNames(name: String) { #expect(!SecretNames.contains(name)) }

    @Test func judgesVeryLongNameByItsEnd() {
        let long = String(repeating: "x-", count: 500_000)
        #expect(SecretNames.contains(long + "token"))
        #expect(!SecretNames.contains(long + "page"))
    }
}
