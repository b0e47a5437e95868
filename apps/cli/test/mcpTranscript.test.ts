/** Runs the transcript in docs/agents.md again, and compares the answers. Ids, hashes, times and prices differ. */
import { readFileSync } from "node:fs"
import { layer as withLayer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { expect, vi } from "vitest"
import { describeOnAnvil } from "../../../packages/devnet/test/onAnvil.js"
import { layer } from "./fixture.js"
import { call, connectStdio, makeAgent } from "./mcpFixture.js"

vi.setConfig({ testTimeout: 300_000 })

const page = readFileSync(new URL("../../../docs/agents.md", import.meta.url), "utf8")
const [, transcript = ""] = /## A first swap\n[\s\S]*?^```text\n([\s\S]*?)^```$/m.exec(page) ?? []

/** Replaces what differs between two runs. */
const normalize = (text: string): string =>
  text
    .replaceAll(/0x[0-9a-fA-F]{64}/g, "<hash>")
    .replaceAll(/0x[0-9a-fA-F]{40}/g, "<address>")
    .replaceAll(/(?<=[sS]wap )[\w-]{16,}|(?<="swapId":")[^"]+|(?<=swapId )\S+/g, "<swap>")
    .replaceAll(/\d+\.\d+/g, "<number>")
    .trim()

describeOnAnvil("the transcript in the docs", () =>
  withLayer(layer, { timeout: 300_000, excludeTestServices: true })((it) => {
    it.effect("is what the server answers", () =>
      Effect.gen(function* () {
        const agent = yield* makeAgent("alice")
        const connection = yield* connectStdio(agent)
        const calls = [...transcript.matchAll(/^> (\w+) (\{.*\})$/gm)]
        const answers: Array<string> = []
        let swapId = ""
        for (const [line = "", name = "", json = "{}"] of calls) {
          const args = JSON.parse(json) as Record<string, unknown>
          const own = {
            ...args,
            ...("recipient" in args && { recipient: agent.recipient }),
            ...("swapId" in args && { swapId })
          }
          const { text, value } = yield* call(connection, name, own)
          swapId = value.swap?.swapId ?? swapId
          answers.push(`${line}\n${text}\n`)
        }
        const actual = answers.join("\n")
        expect(calls.length, `Add the calls to docs/agents.md. Answers:\n${actual}`).toBeGreaterThan(4)
        expect(normalize(actual), `The answers are now:\n${actual}`).toBe(normalize(transcript))
      })
    )
  })
)
