import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Operation, Store } from "@geoswap/core"
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { expect } from "vitest"
import { make } from "../src/swap/stateFiles.js"
import * as Directory from "../src/chains/Directory.js"
import { checkAccounts } from "../src/commands/doctor/checkAccounts.js"
import { checkStore } from "../src/commands/doctor/checkStore.js"
import { checkService } from "../src/commands/doctor/checkService.js"
import { Settings } from "../src/config/Settings.js"
import * as Flags from "../src/flags/Flags.js"
import { Host } from "../src/node/Host.js"
import * as Output from "../src/output/Output.js"
import { layer as frameworkServices } from "../src/node/frameworkServices.js"
import { vaultNode } from "./scriptedNode.js"

const settingsOf = (url: string | undefined, stateFolder = "/nowhere"): Settings => ({
  configFile: "/nowhere/config.json",
  configExists: true,
  devnetFile: undefined,
  url,
  service: Effect.succeed({ url: url ?? "", apiKey: Redacted.make("gsk_key") }),
  chains: [],
  deployments: {},
  policy: {},
  keys: {},
  contacts: {},
  wallets: [],
  wallet: undefined,
  timeoutSeconds: 20,
  stateFolder,
  storeFolder: join(stateFolder, "store")
})

/** A service that responds with a status, and whose clock is off by some seconds. */
const service = (status: number, seconds: number | undefined) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<ReturnType<typeof createServer>>((resume) => {
        const server = createServer((request, response) => {
          response.sendDate = false
          if (seconds !== undefined) response.setHeader("date", new Date(Date.now() + seconds * 1000).toUTCString())
          response.setHeader("location", "https://elsewhere.example")
          response.writeHead(request.headers["x-api-key"] === "gsk_key" ? status : 401).end("{}")
        }).listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) => Effect.sync(() => server.close().closeAllConnections())
    ),
    (server) => {
      const address = server.address()
      return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
    }
  )

const stateOf = (url: string | undefined, about: string) =>
  Effect.map(checkService(settingsOf(url)), (findings) => findings.find((finding) => finding.about === about)?.state)

describe("doctor", () => {
  it.live("compares the clock with that of the service", () =>
    Effect.gen(function* () {
      expect(yield* stateOf(yield* service(200, 0), "clock")).toBe("ok")
      expect(yield* stateOf(yield* service(200, 20), "clock")).toBe("ok")
      expect(yield* stateOf(yield* service(200, -60), "clock")).toBe("warn")
      expect(yield* stateOf(yield* service(200, 60), "clock")).toBe("warn")
      expect(yield* stateOf(yield* service(200, 3600), "clock")).toBe("fail")
      expect(yield* stateOf(yield* service(200, undefined), "clock")).toBe("warn")
    })
  )

  it.live("reports a service that fails, redirects or does not respond", () =>
    Effect.gen(function* () {
      expect(yield* stateOf(yield* service(200, 0), "service")).toBe("ok")
      expect(yield* stateOf(yield* service(503, 0), "service")).toBe("fail")
      expect(yield* stateOf(yield* service(302, 0), "service")).toBe("fail")
      expect(yield* stateOf("http://127.0.0.1:65530", "service")).toBe("fail")
      expect(yield* stateOf(undefined, "service")).toBe("fail")
    })
  )

  it.live("reports whether the service accepts the API key", () =>
    Effect.gen(function* () {
      expect(yield* stateOf(yield* service(200, 0), "API key")).toBe("ok")
      expect(yield* stateOf(yield* service(401, 0), "API key")).toBe("fail")
      expect(yield* stateOf(yield* service(403, 0), "API key")).toBe("fail")
      expect(yield* stateOf(yield* service(404, 0), "API key")).toBe("warn")
      expect(yield* stateOf(yield* service(429, 0), "API key")).toBe("warn")
    })
  )

  it.live("asks every pinned vault whether it accepts the pinned account contracts", () =>
    Effect.gen(function* () {
      const [one, two, vault] = ["1", "2", "f"].map((digit) => `0x${digit.repeat(40)}`)
      if (one === undefined || two === undefined || vault === undefined) return expect.unreachable()
      const [chain] = Directory.make([{ id: 7, name: "Seven", aliases: [], family: "evm", tokens: [] }], []).chains
      if (chain === undefined) return expect.unreachable()
      const node = yield* vaultNode(7, [one])
      const check = (deployment: Operation.Deployment) => checkAccounts(chain, node, deployment)
      expect(yield* check({ delegates: [one], vault })).toMatchObject([
        { about: "Seven: accounts", state: "ok", found: "the vault accepts the pinned account contracts" }
      ])
      for (const deployment of [
        { delegates: [two], vault },
        { delegates: [one], vault, older: [{ delegate: two, vault }] }
      ]) {
        expect(yield* check(deployment)).toMatchObject([
          { state: "fail", found: `the vault ${vault} does not accept wallets delegated to ${two}` }
        ])
      }
      expect(
        (yield* Effect.flip(checkAccounts(chain, "http://127.0.0.1:65530", { vault, delegates: [one] })))._tag
      ).toBe("Failure")
    })
  )

  it.live("finds unfinished swaps and damaged files in the store", () =>
    Effect.gen(function* () {
      const state = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "geoswap-state-"))),
        (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
      )
      const settings = settingsOf("https://swap.example", state)
      const output = Layer.effect(
        Output.Output,
        Effect.map(Host, (host) => Output.make(Flags.none, host))
      )
      const environment = Layer.merge(frameworkServices, output)
      const provided = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        Effect.provide(Effect.provideService(effect, Settings, settings), environment)
      expect(yield* checkStore.pipe(provided)).toMatchObject([{ state: "ok" }])
      const { store } = yield* make.pipe(provided)
      const flow: Store.Flow = {
        id: "flow-1",
        state: "signed",
        createdAt: Date.now(),
        service: "https://swap.example",
        request: {
          originChain: 8453,
          destinationChain: 42161,
          inputToken: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
          outputToken: "0x82af49447d8a07e3bd95bd0d56f35241523fbab1",
          amount: 1n,
          walletAddress: "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
        },
        output: 1n,
        submission: { family: "evm", geoOpToken: "token", signature: "0x" }
      }
      yield* store.update(flow.request.walletAddress, (wallet) => [
        { ...wallet, flows: [flow, { ...flow, id: "flow-2", service: "https://other.example" }] },
        undefined
      ])
      expect(yield* checkStore.pipe(provided)).toMatchObject([{ state: "ok" }])
      yield* store.release("flow-1")
      expect(yield* checkStore.pipe(provided)).toEqual([
        { about: "store", state: "warn", found: "1 unfinished swap", next: "geoswap resume flow-1" }
      ])
      writeFileSync(join(settings.storeFolder, "wallet-2.json"), "{", { mode: 0o600 })
      expect(yield* checkStore.pipe(provided)).toMatchObject([{ state: "warn" }, { state: "fail" }])
    })
  )
})
