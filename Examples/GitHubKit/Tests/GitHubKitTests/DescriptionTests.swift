import APIDescription
import APIKitTesting
import Testing
