// The types of Core stand in every signature, so one import is enough.
@_exported public import APIKitCore
