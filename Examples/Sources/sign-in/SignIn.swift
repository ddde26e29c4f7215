// Signs in to a server, shows the account, renews its token and signs out.
//
//     swift run --package-path Examples sign-in                  (opens the browser)
//     swift run --package-path Examples sign-in --device         (shows a code to enter in any browser)
//     swift run --package-path Examples sign-in --no-browser     (presses the buttons itself)
//     swift run --package-path Examples sign-in --device --no-browser
//     swift run --package-path Examples sign-in --verbose        (with the requests, secrets masked)
//
// It uses a server of its own, whose tokens are valid for ten seconds.

import APIKit
import APIKitOAuth
import ArgumentParser
import EmbeddedServer
import ExampleSupport

struct AccountRequest: APIRequest {
    typealias Response = Account
    var base: APIBase { .accounts }
    var path: URLPath { "account" }
}

struct Account: JSONResponse {
    let name: String
}

nonisolated extension APIBase {
    static let accounts = APIBase("https://accounts.example.com/api")  // a valid literal
}

@main
struct SignIn: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-in",
        abstract: "Signs in to a server, shows the account and signs out."
    )

    @Flag(help: "Show a code to enter on any device, instead of opening the browser.")
    var device = false

    @Flag(name: .customLong("no-browser"), help: "Press the buttons on the server's pages without a browser.")
    var playsUser = false

    @Flag(help: "Print requests and responses, with secrets masked.")
    var verbose = false

    func run() async throws {
        let session: any APIClient = verbose ? Verbose(URLSession.api) : URLSession.api
        try await EmbeddedServer.run(.accounts) { server in
            let issuer = server.absoluteString
            let account = OAuth(issuer: issuer, clientID: "apikit-example", flow: flow, client: session)
            let client = session.based(at: APIBase(server.appending(path: "api")), insteadOf: .accounts)
                .authorized(by: account, for: .accounts)

            // The first request signs in, later ones renew the token if it expires soon.
            for _ in 1...2 {
                let name = try await client.send(AccountRequest()).name
                print("signed in as \(name)")
            }
            try await account.signOut()
            print("signed in: \(try await account.isSignedIn())")
        }
    }

    private var flow: OAuthFlow {
        device ? .deviceCode(show: show) : .authorizationCode(present: playsUser ? .loopback(open: press) : .browser)
    }

    /// Shows the code of a device.
    private func show(_ code: DeviceAuthorization) async throws {
        print("open \(code.verificationURL) and enter \(code.userCode)")
        if playsUser { try await press(EnterCode(page: code.verificationURL, code: code.userCode)) }
    }

    /// Presses the button of the authorization page, which redirects to this program.
    private func press(_ page: URL) async throws { try await press(Allow(page: page)) }

    private func press(_ button: some APIRequest) async throws { _ = try await URLSession.api.send(button) }
}

// MARK: - The user

/// What a browser sends when the user presses the button of the authorization page.
private struct Allow: APIRequest {
    let page: URL

    typealias Response = NoContent
    var base: APIBase { APIBase(page) }
    var path: URLPath { "" }
    var method: HTTPMethod { .post }
}

/// What a browser sends when the user has entered the code.
private struct EnterCode: APIRequest {
    let page: URL
    let code: String

    typealias Response = NoContent
    var base: APIBase { APIBase(page) }
    var path: URLPath { "" }
    var method: HTTPMethod { .post }
    var parameters: Parameters { ["user_code": code] }
}
