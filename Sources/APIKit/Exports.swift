// One import for a program: all modules but those for tests.
@_exported public import APIKitClients
@_exported public import APIKitCore
@_exported public import APIKitFoundation
@_exported public import APIKitStreams
@_exported public import Foundation

#if canImport(FoundationNetworking)
@_exported public import FoundationNetworking
#endif

#if os(Linux)
@_exported public import APIKitCurl
#endif
