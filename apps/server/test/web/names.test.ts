import { describe, layer } from "@effect/vitest"
import { Devnet } from "@geoswap/devnet"
import { Names } from "@geoswap/service"
import { getBase58Encoder } from "@solana/kit"
import * as Effect from "effect/Effect"
import * as References from "effect/References"
import { bytesToHex } from "viem"
import { expect } from "vitest"
import { deployEns } from "../../../../tooling/testing/ens.js"
import * as DevnetServer from "../../src/devnet/DevnetServer.js"
import { devnetLayer } from "../stack/stack.js"
import { pageFolder } from "./fixture.js"

const one = `0x${"1".repeat(40)}` as const
const two = `0x${"2".repeat(40)}` as const
const three = `0x${"3".repeat(40)}` as const
/** The coin type of all EVM chains. */
const anyEvm = 0x80000000n

const deployed = Effect.gen(function* () {
  const { evmA, evmB, operators, solanaWallets } = yield* Devnet.Devnet
  const owner = operators.find(({ family, role }) => family === "evm" && role === "owner")
  const solanaKey = bytesToHex(new Uint8Array(getBase58Encoder().encode(solanaWallets[0]?.address ?? "")))
  return yield* Effect.promise(() =>
    deployEns(evmA, owner?.privateKey ?? "", {
      "alice.eth": { 60: one, [`${anyEvm}`]: two, [`${anyEvm | BigInt(evmB.id)}`]: three, 501: solanaKey },
      "bob.eth": { 60: one, [`${anyEvm}`]: two },
      "carol.eth": { 60: one },
      "zero.eth": { 60: `0x${"0".repeat(40)}` },
      "short.eth": { [`${anyEvm}`]: "0x1234" },
      "empty.eth": {}
    })
  )
})

describe("names for the page", () => {
  layer(devnetLayer, { timeout: 60_000, excludeTestServices: true })((it) => {
    it.effect(
      "are resolved by the registry on a chain, for the chain on which they are used",
      () =>
        Effect.gen(function* () {
          const { description, evmA, evmB, solana, solanaWallets } = yield* Devnet.Devnet
          const registry = yield* deployed
          const folder = yield* pageFolder()
          const limits = { names: { perSecond: 1, burst: 1_000 } }
          const { url } = yield* DevnetServer.make(description, {
            port: 0,
            web: true,
            change: (file) => ({ ...file, web: { folder, limits, ens: { chainId: evmA.id, registry } } })
          }).pipe(Effect.provideService(References.MinimumLogLevel, "None"))
          const resolve = async (name: string, { id }: { readonly id: number }) => {
            const answer = await fetch(`${url}/web/names?chainId=${id}&name=${encodeURIComponent(name)}`)
            return { status: answer.status, ...((await answer.json()) as object) }
          }
          yield* Effect.promise(async () => {
            expect(await (await fetch(`${url}/web/config.json`)).json()).toMatchObject({ names: true })
            const alice = { status: 200, name: "alice.eth" }
            expect(await resolve("alice.eth", evmB)).toEqual({ ...alice, address: three, source: "chain" })
            expect(await resolve("ALICE.eth", evmA)).toEqual({ ...alice, address: two, source: "default" })
            const { address } = solanaWallets[0] ?? {}
            expect(await resolve("alice.eth", solana)).toEqual({ ...alice, address, source: "chain" })
            expect(await resolve("bob.eth", evmB)).toMatchObject({ address: two, source: "default" })
            expect(await resolve("carol.eth", evmB)).toMatchObject({ address: one, source: "ethereum" })
            expect(await resolve("carol.eth", solana)).toMatchObject({ status: 404, code: "NOT_FOUND" })
            for (const name of ["missing.eth", "zero.eth", "short.eth", "empty.eth", "sub.alice.eth"]) {
              expect([name, await resolve(name, evmB)]).toMatchObject([name, { status: 404, code: "NOT_FOUND" }])
            }
            // The fourth one starts with a Cyrillic letter.
            for (const name of ["alice", "al ice.eth", ".eth", "\u0430lice.eth", "x".repeat(300), ""]) {
              expect([name, await resolve(name, evmB)]).toMatchObject([name, { status: 400, code: "VALIDATION" }])
            }
            expect(await resolve("alice.eth", { id: 999 })).toMatchObject({ status: 400, code: "VALIDATION" })
          })
        }),
      120_000
    )

    it.effect(
      "are not resolved unless a quorum of the nodes agrees",
      () =>
        Effect.gen(function* () {
          const { evmA, evmB } = yield* Devnet.Devnet
          const registry = yield* deployed
          const { id, name } = evmA
          const destinations = new Map([[evmB.id, { id: evmB.id, name: evmB.name, family: "evm" as const }]])
          const resolveWith = (quorum: number, ...rpcUrls: readonly [string, ...ReadonlyArray<string>]) => {
            const resolve = Names.make(
              { id, name, quorum, rpcUrls, timeoutMillis: 10_000, maxConcurrent: 256 },
              registry,
              destinations
            )
            return resolve({ chainId: evmB.id, name: "alice.eth" })
          }
          const dead = "http://127.0.0.1:9"
          expect(yield* resolveWith(1, evmA.rpcUrl, dead)).toMatchObject({ address: three })
          expect(yield* resolveWith(2, evmA.rpcUrl, evmA.rpcUrl)).toMatchObject({ address: three })
          expect(yield* Effect.flip(resolveWith(2, evmA.rpcUrl, dead))).toMatchObject({ code: "UNAVAILABLE" })
          // A node of another chain does not have the registry.
          expect(yield* Effect.flip(resolveWith(2, evmA.rpcUrl, evmB.rpcUrl))).toMatchObject({ code: "UNAVAILABLE" })
        }),
      120_000
    )
  })
})
