/**
 * In Node, each promise entry point contains its own copies of Effect and core. These tests mix those copies with the
 * entry points for Effect, which share the program's Effect.
 */
import { describe, expect, it } from "@effect/vitest"
import { ChainReader, Client, Policy, Signer, Store, SwapError, Transport } from "@geoswap/core"
import { fileStore } from "@geoswap/core/node/promise"
import { createClient, isSwapError, type ClientOptions } from "@geoswap/core/promise"
import { Fault, ScriptedTransport } from "@geoswap/core/testing"
import { EvmSigner } from "@geoswap/signer-evm"
import { EvmSigner as BundledSigner, evmReader } from "@geoswap/signer-evm/promise"
import { FetchTransport } from "@geoswap/transport-fetch"
import { fetchTransport } from "@geoswap/transport-fetch/promise"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inspect } from "node:util"
import { library } from "../../../tooling/testing/evm/chainLibrary.js"
import { rejection, thrown } from "../../../tooling/testing/expectError.ts"
import { account } from "./fixture.js"

const { evmRequest } = ScriptedTransport

/** A service whose swaps settle quickly, and a promise transport to it that is written with Effect. */
const scripted = () => {
  const service = ScriptedTransport.make({ library })
  service.ends("settled", 20)
  const transport: ClientOptions["transport"] = {
    send: (request, { signal }) => Effect.runPromise(service.send(request), { signal })
  }
  return { service, transport }
}

/** A promise client from the bundled entry point. */
const start = (options: Partial<ClientOptions> = {}) => {
  const { service, transport } = scripted()
  const signers = { evm: BundledSigner.fromAccount(account) }
  return {
    service,
    client: createClient({ network: service.network, transport, signers, settings: { backoff: [1, 1] }, ...options })
  }
}

/** A new folder that is removed afterwards. */
const temporary = () => {
  const path = mkdtempSync(join(tmpdir(), "geoswap-copies-"))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

const invalidUrl = { baseUrl: "ftp://swap.example", apiKey: "key-1" }

describe("an error from a bundled entry point", () => {
  const error = thrown(() => fetchTransport(invalidUrl))

  it("belongs to another copy of the class", () => {
    expect(error).not.toBeInstanceOf(SwapError.InvalidInput)
    expect(Effect.runSync(Effect.flip(FetchTransport.make(invalidUrl)))).toBeInstanceOf(SwapError.InvalidInput)
  })

  it("is recognized by both copies of isSwapError", () => {
    expect(isSwapError(error)).toBe(true)
    expect(SwapError.isSwapError(error)).toBe(true)
    expect(isSwapError(new SwapError.InvalidInput({ field: "a", message: "b" }))).toBe(true)
  })

  it("has the same tag, fields and printed form as the original", () => {
    const original = Effect.runSync(Effect.flip(FetchTransport.make(invalidUrl)))
    expect(JSON.stringify(error)).toBe(JSON.stringify(original))
    const firstLine = (value: unknown) => inspect(value).split("\n", 1)[0]
    expect(firstLine(error)).toBe(firstLine(original))
    expect((error as SwapError.InvalidInput).docs).toBe(original.docs)
  })

  it("can be caught by its tag in an Effect program", () => {
    const program = Effect.catchTag(
      Effect.try({ try: () => fetchTransport(invalidUrl), catch: (cause) => cause as SwapError.InvalidInput }),
      "InvalidInput",
      ({ field }) => Effect.succeed(field)
    )
    expect(Effect.runSync(program)).toBe("baseUrl")
  })
})

describe("a bundled promise client", () => {
  it("swaps with a transport that is written with Effect and a bundled signer", async () => {
    const { client, service } = start()
    expect((await client.execute(evmRequest)).status).toBe("settled")
    expect(service.swaps).toHaveLength(1)
  })

  it("swaps with a signer from the entry point for Effect", async () => {
    const { client } = start({ signers: { evm: EvmSigner.fromAccount(account) } })
    expect((await client.execute(evmRequest)).status).toBe("settled")
  })

  it("runs inside an Effect program", async () => {
    const { client } = start()
    const program = Effect.zip(
      Effect.promise(() => client.quote(evmRequest)),
      Effect.promise(() => client.execute(evmRequest)),
      { concurrent: true }
    )
    const [quote, swap] = await Effect.runPromise(program)
    expect([quote.output > 0n, swap.status]).toEqual([true, "settled"])
  })

  it("retries after a transport error that an Effect transport made", async () => {
    const { client, service } = start()
    service.next("submit", Fault.disconnect({ after: true }))
    expect((await client.execute(evmRequest)).status).toBe("settled")
    expect(service.seen("submit")).toHaveLength(2)
    expect(service.swaps).toHaveLength(1)
  })

  it("rejects with the very error of the transport", async () => {
    const timeout = new SwapError.Unavailable({ reason: "timeout", message: "The service is late." })
    const { client } = start({ transport: { send: () => Promise.reject(timeout) }, settings: { callAttempts: 1 } })
    expect(await rejection(client.quote(evmRequest))).toBe(timeout)
  })

  it("rejects with the very error of a signer from the entry point for Effect", async () => {
    const declined = new SwapError.SignerError({ reason: "rejected", message: "The user declined to sign." })
    const evm = Signer.evmToPromise({
      ...Signer.evmFromPromise(EvmSigner.fromAccount(account)),
      signOperation: () => Effect.fail(declined)
    })
    const { client, service } = start({ signers: { evm } })
    expect(await rejection(client.execute(evmRequest))).toBe(declined)
    expect(service.swaps).toEqual([])
  })

  it("resumes after a refusal, with a store from another bundle", async () => {
    using folder = temporary()
    const { client } = start({ store: fileStore(join(folder.path, "store")) })
    const swap = await client.execute(evmRequest, { idempotencyKey: "order-1" })
    expect(await client.execute(evmRequest, { idempotencyKey: "order-1" })).toMatchObject({ swapId: swap.swapId })
    expect(await client.pending()).toEqual([])
  })

  it("names the damaged file of a store from another bundle", async () => {
    using folder = temporary()
    const { client } = start({ store: fileStore(folder.path) })
    await client.execute(evmRequest, { idempotencyKey: "order-1" })
    const [name = ""] = readdirSync(folder.path).filter((file) => file.startsWith("key-"))
    const file = join(folder.path, name)
    writeFileSync(file, JSON.stringify({ version: 1, name: name.slice(0, -5), record: { state: "unknown" } }))
    const error = (await rejection(client.execute(evmRequest, { idempotencyKey: "order-1" }))) as Error
    expect(error).toMatchObject({ _tag: "StoreError" })
    expect(error.message).toContain(file)
  })

  it("reports a damaged wallet of a store from another bundle", async () => {
    using folder = temporary()
    const path = join(folder.path, "store")
    mkdirSync(path, { mode: 0o700 })
    writeFileSync(join(path, "wallet-damaged.json"), "{", { mode: 0o600 })
    const error = (await rejection(start({ store: fileStore(path) }).client.pending())) as Error
    expect(error).toMatchObject({ _tag: "StoreError" })
    expect(error.message).toContain("wallet-damaged.json is damaged")
  })
})

describe("an Effect program", () => {
  const program = (evm: Signer.Evm) => {
    const { service, transport } = scripted()
    const services = Layer.mergeAll(
      Layer.succeed(Transport.Transport, Transport.fromPromise(transport)),
      Signer.layer({ evm }),
      Policy.layer({ network: service.network }),
      Store.layerMemory
    )
    return { service, swap: Effect.provide(Client.execute(evmRequest), services) }
  }

  it("swaps with a bundled signer", async () => {
    const { swap } = program(Signer.evmFromPromise(BundledSigner.fromAccount(account)))
    expect((await Effect.runPromise(swap)).status).toBe("settled")
  })

  it("catches the error of a bundled signer by its tag", async () => {
    const { service, swap } = program(Signer.evmFromPromise(BundledSigner.fromAccount(account)))
    service.delegate(evmRequest.originChain, evmRequest.walletAddress)
    service.next("build-geo-op", {
      type: "alter",
      alter: (built) => ({ ...built, geoOp: { ...(built as { geoOp: object }).geoOp, amount: "11000000" } })
    })
    const caught = Effect.catchTag(swap, "UnsafeOperation", ({ field }) => Effect.succeed(field))
    expect(await Effect.runPromise(caught)).toBe("amount")
  })

  it("gets the error of a bundled reader unchanged", async () => {
    const { accountNonce } = ChainReader.evmFromPromise(evmReader({ rpcUrls: { 8453: "https://base.example" } }))
    const error = await Effect.runPromise(Effect.flip(accountNonce({ chainId: 5, address: account.address })))
    expect(error).toMatchObject({ _tag: "ReaderError" })
    expect(error.message).toContain("No node is configured for chain 5.")
  })
})

describe("require", () => {
  const require = createRequire(import.meta.url)

  it.each([
    ["@geoswap/core", "Client"],
    ["@geoswap/core/adapters", "keccak256"],
    ["@geoswap/core/node", "FileStore"],
    ["@geoswap/core/node/promise", "fileStore"],
    ["@geoswap/core/promise", "createClient"],
    ["@geoswap/core/testing", "ScriptedTransport"],
    ["@geoswap/signer-evm", "EvmReader"],
    ["@geoswap/signer-evm/promise", "evmReader"],
    ["@geoswap/transport-fetch", "FetchTransport"],
    ["@geoswap/transport-fetch/promise", "fetchTransport"]
  ])("loads %s from CommonJS", (specifier, name) => {
    expect(require(specifier)).toHaveProperty(name)
  })

  it("loads the bundled file for Node", () => {
    expect(require.resolve("@geoswap/core/promise")).toMatch(/core\/dist\/bundled\/promise\.js$/)
  })
})
