/**
 * Runs the calls of the transcript in docs/agents.md again, and compares the answers. Ids, hashes, addresses and prices
 * differ. `vitest run mcpTranscript -u` writes the transcript of a new run.
 */
import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { describe, expect, vi } from "vitest"
import { onDevnet } from "./fixture.js"
import { call, connect, makeAgent } from "./mcpFixture.js"

vi.setConfig({ testTimeout: 600_000 })

const path = "../../../docs/agents.md"
const page = readFileSync(new URL(path, import.meta.url), "utf8")
const [, transcript = ""] = /## A first swap\n[\s\S]*?^```text\n([\s\S]*?)^```$/m.exec(page) ?? []

/** Replaces what differs between two runs. */
const normalize = (text: string): string =>
  text
    .replaceAll(/0x[0-9a-fA-F]{64}/g, "<hash>")
    .replaceAll(/0x[0-9a-fA-F]{40}/g, "<address>")
    .replaceAll(/(?<=^Swap )\S+|(?<="swapId":")[^"]+/gm, "<swap>")
    .replaceAll(/\d+\.\d+/g, "<number>")

describe("the transcript in the docs", () => {
  onDevnet((it) => {
    it.effect("is what the server answers", () =>
      Effect.gen(function* () {
        const agent = yield* makeAgent("alice")
        const connection = yield* connect(agent)
        const calls = [...transcript.matchAll(/^> (\w+) (\{.*\})$/gm)]
        expect(calls.length).toBeGreaterThan(4)
        const answers: Array<string> = []
        let swapId = ""
        for (const [, name = "", json = "{}"] of calls) {
          const args = JSON.parse(json) as Record<string, unknown>
          const own = {
            ...args,
            ...("recipient" in args && { recipient: agent.recipient }),
            ...("swapId" in args && { swapId })
          }
          const { text, value } = yield* call(connection, name, own)
          swapId = value.swap?.swapId ?? swapId
          answers.push(`> ${name} ${JSON.stringify(own)}\n${text}\n`)
        }
        const actual = answers.join("\n")
        const isSame = normalize(actual) === normalize(transcript)
        yield* Effect.promise(() =>
          expect(isSame ? page : page.replace(transcript, () => actual)).toMatchFileSnapshot(path)
        )
      })
    )
  })
})
