import Foundation

// The entry of libFuzzer. Tests/Fuzz/fuzz compiles it with the modules and sets the variables.

private let environment = ProcessInfo.processInfo.environment

/// The target that the environment names.
private let target: FuzzTarget = {
    let name = environment["FUZZ_TARGET"]
    guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
        print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
        exit(name == "list" ? 0 : 1)
    }
    return target
}()

/// Chooses the target and, if asked to, writes its seeds.
@_cdecl("LLVMFuzzerInitialize")
public func begin(_ count: UnsafeMutableRawPointer, _ arguments: UnsafeMutableRawPointer) -> CInt {
    let seeds = target.seeds
    guard let folder = environment["FUZZ_SEEDS"] else { return 0 }
    for (index, seed) in seeds.enumerated() {
        let file = URL(fileURLWithPath: folder).appendingPathComponent("seed-\(index)")
        do { try seed.write(to: file) } catch { fatalError("\(error)") }
    }
    return 0
}

/// Reads one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func readInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.run(FuzzInput(data: Data(UnsafeBufferPointer(start: bytes, count: count))))
    return 0
}
