// So that users need no import and no dependency besides GitHubKit.
@_exported public import APIKit
