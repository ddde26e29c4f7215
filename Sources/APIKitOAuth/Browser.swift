#if os(macOS) || os(Linux)
import APIKitCore
import Foundation

/// A program that opens URLs.
struct Browser: Sendable {
    /// The program and its first arguments.
    let command: [String]
    /// Shows a message to the user.
    let show: @Sendable (String) -> Void

    #if os(macOS)
    private static let systemCommand = ["/usr/bin/open"]
    #else
    private static let systemCommand = ["/usr/bin/env", "xdg-open"]
    #endif

    /// The user's browser. Messages go to the standard error.
    static let system = Browser(command: systemCommand) { message in
        FileHandle.standardError.write(Data(message.utf8))
    }

    /// Starts the program, without a shell. If that fails, now or later, shows the URL.
    ///
    /// - Throws: ``OAuthError`` with the code `presentationFailed` if the URL is not one of a web page. A server could
    ///   otherwise have a program on this machine opened.
    func open(_ url: URL) throws {
        guard ["https", "http"].contains(url.scheme?.lowercased()) else {
            throw OAuthError(.presentationFailed, "the authorization endpoint is not an http or https URL")
        }
        let process = Process()
        process.executableURL = URL(filePath: command[0])
        process.arguments = command.dropFirst() + [url.absoluteString]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.terminationHandler = { process in
            if process.terminationStatus != 0 { ask(for: url) }
        }
        do {
            // Some systems' programs end with the browser itself, so this does not wait for the end.
            try process.run()
        } catch {
            ask(for: url)
        }
    }

    private func ask(for url: URL) {
        show("To sign in, open this URL in a browser on this machine:\n\(url.absoluteString)\n")
    }
}
#endif
