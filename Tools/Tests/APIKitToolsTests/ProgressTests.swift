import APIKitTools
import Foundation
import Testing

@testable import apikit

/// What standard error shows of long work.
@Suite struct ProgressTests {
    private static let removal = "\u{1B}[A\r\u{1B}[K"

    private func writing(_ completed: Int, of total: Int) -> Generation.Step {
        .writing(Generation.Step.Count(completed, of: total))
    }

    @Test func terminalHasOneLineThatIsDrawnAgain() {
        var line = ProgressLine(isTerminal: true)
        line.update(.generating(Generation.Step.Count(300, of: 400)), at: .zero)
        #expect(
            line.text(at: .milliseconds(500), columns: 80) == "generating code [###############.....] 300 of 400\n")
        line.update(writing(1, of: 2), at: .milliseconds(550))
        let second = "\(Self.removal)writing files [##########..........] 1 of 2\n"
        #expect(line.text(at: .milliseconds(600), columns: 80) == second)
        #expect(line.text(at: .milliseconds(700), columns: 80) == "", "the same line is not drawn again")
        #expect(line.end() == Self.removal)
        #expect(line.end() == "")
    }

    @Test func stepsWithoutACountShowTheirSeconds() {
        var line = ProgressLine(isTerminal: true)
        line.update(.reading, at: .zero)
        #expect(line.text(at: .milliseconds(999), columns: 80) == "reading\n")
        #expect(line.text(at: .milliseconds(2100), columns: 80) == "\(Self.removal)reading, 2 s\n")
        line.update(.planning, at: .milliseconds(2500))
        #expect(line.text(at: .milliseconds(3400), columns: 80) == "\(Self.removal)planning\n")
    }

    @Test(
        arguments: [
            (0, 0, "[####################]"), (0, 7, "[....................]"), (6, 7, "[#################...]"),
            (7, 7, "[####################]"),
        ] as [(Int, Int, String)])
    func barHasAFixedWidth(completed: Int, total: Int, bar: String) {
        var line = ProgressLine(isTerminal: true)
        line.update(writing(completed, of: total), at: .zero)
        let expected = "writing files \(bar) \(completed) of \(total)\n"
        #expect(line.text(at: .seconds(1), columns: 80) == expected)
    }

    @Test(arguments: [(0, "\n"), (7, "writing\n"), (16, "writing files [#\n")])
    func lineIsCutToTheTerminal(columns: Int, expected: String) {
        var line = ProgressLine(isTerminal: true)
        line.update(writing(7, of: 7), at: .zero)
        #expect(line.text(at: .seconds(1), columns: columns) == expected)
    }

    @Test(arguments: [(true, Duration.milliseconds(499)), (false, .milliseconds(1999))])
    func shortWorkHasNoText(isTerminal: Bool, time: Duration) {
        var line = ProgressLine(isTerminal: isTerminal)
        #expect(line.text(at: time, columns: 80) == "")
        line.update(.reading, at: .zero)
        #expect(line.text(at: time, columns: 80) == "")
        #expect(line.end() == "")
    }

    @Test func longStepsHaveALineEachWithoutATerminal() {
        var line = ProgressLine(isTerminal: false)
        line.update(.reading, at: .zero)
        #expect(line.text(at: .seconds(2), columns: 80) == "reading\n")
        #expect(line.text(at: .seconds(3), columns: 80) == "")
        line.update(writing(0, of: 2), at: .seconds(4))
        #expect(line.text(at: .milliseconds(5900), columns: 80) == "", "the time of each step counts")
        line.update(writing(1, of: 2), at: .milliseconds(5950))
        #expect(line.text(at: .seconds(6), columns: 80) == "writing files\n")
        #expect(line.text(at: .seconds(9), columns: 80) == "")
        #expect(line.end() == "")
    }

    @Test func generationReportsEachStep() throws {
        let folder = try TemporaryFolder()
        var steps: [Generation.Step] = []
        var generation = try Generation(name: "Shop")
        generation.progress = { steps.append($0) }
        let source = GoldenTests.tests.appending(path: "Descriptions/shop.yaml")
        let summary = try generation.run(source, into: folder.url)
        let files = try #require(summary.files["created"])
        let written = (1...files).map { writing($0, of: files) }
        #expect(steps.prefix(2) == [.reading, .planning])
        #expect(steps.suffix(files) == written)
        let generated = steps.dropFirst(2).dropLast(files)
        let total = generated.count
        #expect(generated == (1...total).map { .generating(Generation.Step.Count($0, of: total)) }[...])
        #expect(total >= summary.written)
    }
}
