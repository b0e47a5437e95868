import { describe, layer } from "@effect/vitest"
import { createClient } from "@geoswap/core/promise"
import { Devnet } from "@geoswap/devnet"
import { EvmSigner } from "@geoswap/signer-evm"
import { fetchTransport } from "@geoswap/transport-fetch"
import * as Effect from "effect/Effect"
import * as References from "effect/References"
import { expect } from "vitest"
import * as DevnetServer from "../../src/devnet/DevnetServer.js"
import * as evm from "../stack/evm.js"
import { eachChain } from "../stack/fixture.js"
import { devnetLayer } from "../stack/stack.js"
import { pageFolder } from "./fixture.js"
import { openGate } from "./responseGate.js"

const amount = 25_000_000n

/** A gate in front of a chain's node, until the scope closes. */
const gateOf = ({ rpcUrl }: Devnet.EvmChain) =>
  Effect.acquireRelease(
    Effect.promise(() => openGate(rpcUrl)),
    (gate) => Effect.promise(() => gate[Symbol.asyncDispose]())
  )

describe("balances for the page", () => {
  layer(devnetLayer, { timeout: 60_000, excludeTestServices: true })((it) => {
    it.effect(
      "are current if requested after a swap finished, even while an older read is in progress",
      () =>
        Effect.gen(function* () {
          const devnet = yield* Devnet.Devnet
          const { description, evmA, evmB } = devnet
          const gates = new Map([
            [evmA.id, yield* gateOf(evmA)],
            [evmB.id, yield* gateOf(evmB)]
          ])
          const folder = yield* pageFolder()
          const { url } = yield* DevnetServer.make(description, {
            port: 0,
            web: true,
            change: (file) => {
              const behind = eachChain((chain) => {
                const gate = gates.get(chain.id)
                // A read is held for as long as the chains need for a swap.
                return gate === undefined ? chain : { ...chain, rpcUrls: [gate.url], timeoutMillis: 60_000 }
              })
              return { ...behind(file), web: { folder } }
            }
          })
          yield* Effect.promise(async () => {
            const { account: wallet } = await evm.newWallet(devnet, evmA, { USDC: 2n * amount })
            const balanceOf = async (chain: Devnet.EvmChain, symbol: string): Promise<bigint> => {
              const answer = await fetch(`${url}/web/balances?chainId=${chain.id}&walletAddress=${wallet.address}`)
              expect(answer.status).toBe(200)
              const { balances } = (await answer.json()) as {
                balances: ReadonlyArray<{ token: string; amount: string }>
              }
              const address = evm.tokenOf(chain, symbol).toLowerCase()
              return BigInt(balances.find(({ token }) => token.toLowerCase() === address)?.amount ?? -1)
            }
            // The request for the page's balances while nothing else is read: the only one with a token that no swap uses.
            const pageReads = new Map<number, string>()
            for (const [chain, untouched] of [
              [evmA, "WETH"],
              [evmB, "USDC"]
            ] as const) {
              await balanceOf(chain, untouched)
              const bodies = gates.get(chain.id)?.seen(evm.tokenOf(chain, untouched).slice(2)) ?? []
              pageReads.set(chain.id, bodies.at(-1) ?? "")
            }
            const hold = async (chain: Devnet.EvmChain, symbol: string) => {
              const held = gates.get(chain.id)?.hold(pageReads.get(chain.id) ?? "")
              for (;;) {
                const balance = balanceOf(chain, symbol)
                // If the server combines the read with others, which a swap may need, it passes. Then, read again.
                const isHeld = await Promise.race([held?.then(() => true), balance.then(() => false)])
                if (isHeld === true) return { balance }
              }
            }
            const client = createClient({
              transport: fetchTransport({ baseUrl: `${url}/web/api`, apiKey: "none" }),
              signers: { evm: EvmSigner.fromAccount(wallet) },
              network: {
                chains: [
                  {
                    id: evmA.id,
                    name: "a",
                    family: "evm",
                    deployment: { delegates: [evmA.contracts.account], vault: evmA.contracts.vault }
                  }
                ]
              }
            })
            let output = 0n
            await Effect.runPromise(Effect.all([evmA.hold, evmB.hold]))
            let submitted = (): void => undefined
            const waits = new Promise<void>((resolve) => {
              submitted = resolve
            })
            const swapping = client.execute(
              {
                originChain: evmA.id,
                destinationChain: evmB.id,
                inputToken: evm.tokenOf(evmA, "USDC"),
                outputToken: evm.tokenOf(evmB, "WETH"),
                amount
              },
              {
                onProgress: (event) => {
                  if (event.type === "quoted") output = event.quote.output
                  if (event.type === "submitted") submitted()
                }
              }
            )
            await Promise.race([waits, swapping])
            const early = [await hold(evmA, "USDC"), await hold(evmB, "WETH")]
            await Effect.runPromise(Effect.all([evmA.release, evmB.release]))
            const swap = await swapping
            expect(swap.status).toBe("settled")
            expect(output).toBeGreaterThan(0n)

            const late = [balanceOf(evmA, "USDC"), balanceOf(evmB, "WETH")]
            for (const gate of gates.values()) gate.open()
            // Requested before the swap was paid, and read then.
            expect(await Promise.all(early.map(({ balance }) => balance))).toEqual([2n * amount, 0n])
            expect(await Promise.all(late)).toEqual([amount, output])
          })
        }).pipe(Effect.provideService(References.MinimumLogLevel, "None")),
      300_000
    )
  })
})
