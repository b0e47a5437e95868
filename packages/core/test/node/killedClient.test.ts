/** Whole swaps of a process that is killed at any call to the file system, and started again. */
import { readdirSync, readFileSync } from "node:fs"
import { createServer, type IncomingMessage, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ScriptedTransport } from "../../src/testing.js"
import { freshFolder } from "./fixture.js"
import * as Processes from "./processes.js"

const { evmRequest } = ScriptedTransport

/** Serves a new scripted service over HTTP, so that it outlives the processes that use it. */
const served = Effect.gen(function* () {
  const service = ScriptedTransport.make()
  service.delegate(evmRequest.originChain, evmRequest.walletAddress)
  service.ends("settled", 0)
  const answer = async (request: IncomingMessage) => {
    const text = await request.setEncoding("utf8").reduce((all: string, part: string) => all + part, "")
    const sent = JSON.parse(text) as Parameters<typeof service.send>[0]
    return JSON.stringify(await Effect.runPromise(service.send(sent)))
  }
  const server = yield* Effect.acquireRelease(
    Effect.callback<Server>((resume) => {
      const started = createServer((request, response) => void answer(request).then((text) => response.end(text)))
      started.listen(0, "127.0.0.1", () => resume(Effect.succeed(started)))
    }),
    (started) =>
      Effect.sync(() => {
        started.close()
        started.closeAllConnections()
      })
  )
  const path = yield* freshFolder
  return { path, service, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
})

/** Reads the records of a store in a folder. A file that was not completely written is not a record. */
const recordsIn = (path: string): string =>
  readdirSync(path)
    .filter((name) => name.endsWith(".json"))
    .map((name) => readFileSync(join(path, name), "utf8"))
    .join("\n")

describe("a client that is killed", { timeout: 600_000 }, () => {
  it.live.each(["files", "authenticated"])("makes one swap of a key once it is started again, with %s", (kind) =>
    Effect.gen(function* () {
      const runIn = (worlds: ReadonlyArray<{ readonly path: string; readonly url: string }>, step: number) => {
        const [paths, urls] = [worlds.map(({ path }) => path).join(":"), worlds.map(({ url }) => url).join()]
        return Processes.run(["swapOnce", paths, kind, urls], { env: { FAULT: "KILL", STEP: `${step}` } })
      }
      const whole = yield* runIn([yield* served], Number.MAX_SAFE_INTEGER)
      const steps = Number(/^settled (\d+)$/.exec(whole.lines.join())?.[1])
      expect(steps).toBeGreaterThan(20)
      const killedAt = Effect.fnUntraced(function* (step: number) {
        const world = yield* served
        const { code, lines, signal, stderr } = yield* runIn([world], step)
        // The number of calls varies a little, because the processes wait for the service.
        if (signal === null) expect([code, stderr, lines]).toEqual([0, "", [expect.stringMatching(/^settled /)]])
        return world
      })
      const stride = process.env["MATRIX"] === "whole" ? 1 : 4
      const worlds = yield* Effect.forEach(
        Array.from({ length: Math.ceil(steps / stride) }, (_, at) => 1 + at * stride),
        killedAt,
        { concurrency: 2 }
      )
      const again = yield* runIn(worlds, 0)
      expect([again.code, again.stderr, again.lines]).toEqual([0, "", worlds.map(() => "settled 0")])
      for (const { path, service } of worlds) {
        expect(service.swaps).toHaveLength(1)
        // A signature that was sent is sent again, and nothing else.
        expect(new Set(service.seen("submit").map(({ body }) => JSON.stringify(body))).size).toBe(1)
        const records = recordsIn(path)
        expect([...records.matchAll(/total\W+(\d+)/g)].map(([, total]) => total)).toEqual([`${evmRequest.amount}`])
        expect(records).not.toContain("geoOpToken")
      }
    })
  )
})
