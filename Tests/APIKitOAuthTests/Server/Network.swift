import APIKitCore
import APIKitFoundation
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The client that tests reach the servers of this module with.
let network: any APIClient = URLSession.api
