/// The error codes that authorization servers return.
enum ServerCode {
    /// Whether an error code is a registered one, or one that is known from a server. Such a code is not a secret, even
    /// if a secret happens to occur in it: masked, it would not be recognized, and a user would be asked to sign in for
    /// nothing, or not at all.
    static func isRegistered(_ code: String) -> Bool { registered.contains(code) }

    private static let registered: Set<String> = [
        // RFC 6749, sections 4.1.2.1 and 5.2
        "access_denied", "invalid_client", "invalid_grant", "invalid_request", "invalid_scope", "server_error",
        "temporarily_unavailable", "unauthorized_client", "unsupported_grant_type", "unsupported_response_type",
        // RFC 8628, section 3.5
        "authorization_pending", "expired_token", "slow_down",
        // RFC 6750, section 3.1; RFC 7009, section 2.2.1; RFC 7591, section 3.2.2
        "insufficient_scope", "invalid_token", "unsupported_token_type", "invalid_client_metadata",
        "invalid_redirect_uri", "invalid_software_statement", "unapproved_software_statement",
        // RFC 8707, section 2; RFC 9449, sections 5 and 8; RFC 9470, section 3
        "invalid_target", "invalid_dpop_proof", "use_dpop_nonce", "insufficient_user_authentication",
        // OpenID Connect Core 1.0, section 3.1.2.6
        "account_selection_required", "consent_required", "interaction_required", "invalid_request_object",
        "invalid_request_uri", "login_required", "registration_not_supported", "request_not_supported",
        "request_uri_not_supported",
        // GitHub and Slack
        "bad_refresh_token", "bad_verification_code", "device_flow_disabled", "incorrect_client_credentials",
        "incorrect_device_code", "invalid_refresh_token", "redirect_uri_mismatch", "unverified_user_email",
    ]
}
