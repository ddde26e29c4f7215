// One import is enough: Core, Foundation and, on Linux, FoundationNetworking come along.
@_exported public import APIKitCore
@_exported public import Foundation

#if canImport(FoundationNetworking)
@_exported public import FoundationNetworking
#endif
