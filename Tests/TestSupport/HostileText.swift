import APIKitCore

/// Pieces that, repeated, make a search for secrets slow if it reads anything again and again.
package enum HostileText {
    package static let pieces = [
        "token", "token\\", "\"token\" ", "://", "https://", "https://@", "value=", "value=\"", "\"value\":\"",
        "value=\\\"",
        "{\"value\":", "{\"value\":[", "name=\"token\"\n", "name=token;\n\n", "<token>", "<token>a\n", "<token x",
        "</token", "<token></token>", "<token></TOKEN", "<token a=", "<token a=\"", "\\u0077", "\\\\u", "token a/",
        "token 1",
        "{\"name\":\"token\",", "{\"value\":1,", "}", "value=1 {",
        "%20,", "%3D,", "%25", "a%3Dtoken,", "code=", "code=\"", "bearer ", "{\"tokens\":[\"]", "[", "{", "\\", "\"",
        "'",
        "token=[", "token=['", "cookie:\"", "'cookie:", "<a:", "x:token>", "&", "name=name=", "\"name\":\"token\",",
        "\u{301}", "a", "-", "A", "/token: ", "://token:",
        "token: f(", "\"token: f(\" ", "token=f('", "token: (\\\"", "\"value\":f(",
    ]
}
