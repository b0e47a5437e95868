import { describe, layer } from "@effect/vitest"
import { Devnet } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import { DatabaseSync } from "node:sqlite"
import { isHex } from "viem"
import { expect, vi } from "vitest"
import { logOf } from "../../stack/program.js"
import { nodeKey } from "../cli/fixture.js"
import { secretsIn } from "../cli/recordingClient.js"
import { collect, type Span } from "./collector.js"
import { collectorKey, devnetLayer, driving, letGo, makeSetup, pathsOf, submitted } from "./fixture.js"

// Every started process loads the whole service.
vi.setConfig({ testTimeout: 240_000 })

describe("telemetry of a swap", () => {
  layer(devnetLayer, { timeout: 240_000, excludeTestServices: true })((it) => {
    it.effect("is one trace from the caller's quote to the end, across a restart, without secrets", () =>
      Effect.gen(function* () {
        const devnet = yield* Devnet.Devnet
        const collector = yield* collect
        const setup = yield* makeSetup(devnet, collector)
        const { apiKey, caller, url } = setup
        const first = yield* setup.start()
        const { ended, swapId } = yield* submitted(devnet, setup, first)
        yield* first.kill("SIGTERM")
        const before = yield* first.ended
        expect(before.code).toBe(0)
        const restarted = collector.spans().length
        yield* devnet.evmA.release
        const second = yield* setup.start()
        const swap = yield* ended
        expect(swap).toMatchObject({ swapId, status: "settled" })

        // Earlier requests are repeated to the wrong endpoint and with an invalid key, and a load balancer checks the health.
        const secrets = new Set(caller.bodies.filter((body) => body !== "").flatMap(secretsIn))
        expect(secrets.size).toBeGreaterThanOrEqual(5)
        yield* Effect.promise(async () => {
          for (const secret of secrets) {
            const body = JSON.stringify({ geoQuoteToken: secret, geoOpToken: secret, signature: secret })
            for (const key of [apiKey, `${apiKey.slice(0, -2)}xx`]) {
              const headers = { "x-api-key": key, "content-type": "application/json", "user-agent": secret }
              await fetch(`${url}/swap/build-geo-op`, { method: "POST", headers, body })
              await fetch(`${url}/swap/submit`, { method: "POST", headers, body })
              await fetch(`${url}/swap/status/${encodeURIComponent(secret)}?key=${apiKey}`, { headers })
              await fetch(`${url}/${encodeURIComponent(secret)}?key=${apiKey}`)
            }
          }
          await fetch(`${url}/health/ready`)
        })
        yield* second.kill("SIGTERM")
        const after = yield* second.ended

        const traceId = caller.spans[0]?.traceId ?? ""
        const spans = collector.spans()
        const ours = spans.filter((span) => span.traceId === traceId)
        const paths = pathsOf(caller, collector, traceId)
        const request = "the caller > geoswap.execute > geoswap"
        for (const expected of [
          `${request}.quote > POST /swap/quote > Service.quote > Seal.seal`,
          `${request}.build > POST /swap/build-geo-op > Service.buildGeoOp`,
          `${request}.submit > POST /swap/submit > Service.submit > Store.accept > sql.transaction > sqlite`,
          `${driving} > accepted > EvmChain.sign`,
          `${driving} > origin_prepared > EvmChain.broadcast`,
          `${driving} > origin_sent > EvmChain.observe`,
          `${driving} > origin_final > EvmChain.prepare`,
          `${driving} > delivery_prepared > Store.change > sql.transaction > sqlite`,
          `${driving} > delivery_sent`,
          `${driving} > settled`,
          `${request}.wait > geoswap.status > GET /swap/status/:swapId`
        ]) {
          expect(paths).toContain(expected)
        }

        const named = (name: string): ReadonlyArray<Span> => ours.filter((span) => span.name === name)
        const { deliveryTxHash, originTxHash } = swap
        const { evmA, evmB } = devnet
        // One from each server, and the swap was in the same state on both.
        const instances = (all: ReadonlyArray<Span>) =>
          new Set(all.map(({ resource }) => resource["service.instance.id"]))
        expect(instances(named("Executor.drive")).size).toBe(2)
        const [waited, sent, ...more] = named("origin_sent")
        expect(more).toEqual([])
        expect(spans.findIndex(({ spanId }) => spanId === waited?.spanId)).toBeLessThan(restarted)
        expect(waited?.attributes).toMatchObject({ swapId, state: "origin_sent", chain: evmA.id })
        expect(sent?.attributes).toMatchObject({
          swapId,
          state: "origin_sent",
          chain: evmA.id,
          transactionHash: originTxHash,
          next: "origin_final"
        })
        expect(named("settled").map(({ attributes }) => attributes)).toEqual([
          { swapId, state: "settled", chain: evmB.id, transactionHash: deliveryTxHash }
        ])
        // Regardless of how often it was polled.
        const looks = [waited, sent].map((span) =>
          named("EvmChain.observe").filter((x) => x.parentSpanId === span?.spanId)
        )
        expect(looks.map(({ length }) => length)).toEqual([1, 1])
        expect(spans.filter(({ name }) => name.includes("health"))).toEqual([])
        expect(spans.filter(({ name }) => name === "Store.claim")).toEqual([])

        const logs = collector.logs()
        const settled = logs.find(({ message }) => message.startsWith("swap settled"))
        expect(settled).toMatchObject({ traceId, attributes: { swapId } })
        for (const { spanId = "0".repeat(16), traceId = "0".repeat(32) } of [...logs, ...spans]) {
          expect(`${traceId}-${spanId}`).toMatch(/^[0-9a-f]{32}-[0-9a-f]{16}$/)
        }
        const lines = logOf(before.stderr + after.stderr)
        expect(lines.find(({ message }) => String(message).startsWith("swap settled"))).toMatchObject({ traceId })
        expect(logs.map(({ message }) => message).filter((text) => text !== "")).toEqual(
          lines.map(({ message }) => (typeof message === "string" ? message : "")).filter((text) => text !== "")
        )

        const said = collector.arrivals
          .map(({ text }) => text)
          .join("\n")
          .toLowerCase()
        const own = Object.entries(setup.environment).filter(([name]) => name.startsWith("GEOSWAP_"))
        expect(own).toHaveLength(4)
        const keys = own.map(([, secret]) => secret.replace(/^k\w+:/, ""))
        for (const secret of [
          ...secrets,
          ...keys,
          apiKey.slice(-43),
          caller.wallet,
          caller.recipient,
          nodeKey,
          collectorKey
        ]) {
          const text = (isHex(secret) ? secret.slice(2) : secret).toLowerCase()
          for (const piece of [text.slice(0, 40), text.slice(-40)]) expect(said).not.toContain(piece)
        }
        expect(said).not.toContain("127.0.0.1:" + new URL(collector.url).port)
      }).pipe(Effect.ensuring(letGo))
    )

    it.effect("is not sent if the caller does not sample, and starts a new trace if the stored one is invalid", () =>
      Effect.gen(function* () {
        const devnet = yield* Devnet.Devnet
        const collector = yield* collect
        const setup = yield* makeSetup(devnet, collector)
        const first = yield* setup.start()
        const { ended, swapId } = yield* submitted(devnet, setup, first, false)
        const traceId = setup.caller.spans[0]?.traceId ?? ""
        yield* first.kill("SIGTERM")
        yield* first.ended
        expect(collector.spans().filter((span) => span.traceId === traceId)).toEqual([])
        expect(collector.spans().filter(({ name }) => name === "Executor.drive")).toEqual([])

        const database = new DatabaseSync(setup.database)
        const [row] = database.prepare("SELECT trace FROM swaps WHERE id = ?").all(swapId)
        expect(row?.["trace"]).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`))
        database.prepare("UPDATE swaps SET trace = ? WHERE id = ?").run("00-nonsense\r\n-01", swapId)
        database.close()
        yield* devnet.evmA.release
        const second = yield* setup.start()
        expect(yield* ended).toMatchObject({ status: "settled" })
        yield* second.kill("SIGTERM")
        yield* second.ended
        const [drive, ...others] = collector.spans().filter(({ name }) => name === "Executor.drive")
        expect(others).toEqual([])
        expect(drive?.attributes).toEqual({ swapId })
        expect([drive?.parentSpanId, drive?.traceId === traceId]).toEqual([undefined, false])
        expect(collector.spans().filter((span) => span.traceId === traceId)).toEqual([])
      }).pipe(Effect.ensuring(letGo))
    )
  })
})
