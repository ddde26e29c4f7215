// One import is enough: Core, Foundation and, on Linux, its engine and FoundationNetworking come along.
@_exported public import APIKitCore
@_exported public import Foundation

#if canImport(FoundationNetworking)
@_exported public import APIKitCurl
@_exported public import FoundationNetworking
#endif
