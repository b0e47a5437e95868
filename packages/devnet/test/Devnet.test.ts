import { GeoAccount, GeoVault } from "@geoswap/contracts"
import { TestToken } from "@geoswap/contracts/testing"
import { describe, layer } from "@effect/vitest"
import { createSolanaRpc } from "@solana/kit"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Address } from "viem"
import { parseEventLogs } from "viem"
import { expect } from "vitest"
import { Devnet, layer as devnetLayer } from "../src/Devnet.js"
import { collect, reader } from "./evm.js"
import { tokenAccountOf } from "./svm.js"

const wait = <A>(promise: () => Promise<A>) => Effect.promise(promise)

describe("a devnet", () => {
  layer(Layer.fresh(devnetLayer({ ports: "free" })), { timeout: 120_000 })((it) => {
    it.effect("deploys the same contracts at the same addresses on both EVM chains", () =>
      Effect.gen(function* () {
        const { evmA, evmB } = yield* Devnet
        expect(evmA.contracts).toEqual(evmB.contracts)
        expect(evmA.tokens).toEqual(evmB.tokens)
        for (const chain of [evmA, evmB]) {
          const client = reader(chain)
          const vault = { abi: GeoVault.abi, address: chain.contracts.vault as Address } as const
          const account = { abi: GeoAccount.abi, address: chain.contracts.account as Address } as const
          expect(yield* wait(() => client.getChainId())).toBe(chain.id)
          expect(yield* wait(() => client.readContract({ ...vault, functionName: "delegate" }))).toBe(account.address)
          expect(yield* wait(() => client.readContract({ ...account, functionName: "vault" }))).toBe(vault.address)
        }
      })
    )

    it.effect("funds every EVM wallet with every token on both chains, and only the relayer with gas", () =>
      Effect.gen(function* () {
        const { evmA, evmB, evmWallets, operators } = yield* Devnet
        expect(evmWallets.length).toBeGreaterThanOrEqual(4)
        for (const chain of [evmA, evmB]) {
          const client = reader(chain)
          const relayer = operators.find(({ family, role }) => family === "evm" && role === "relayer")
          const gas = yield* wait(() => client.getBalance({ address: relayer?.address as Address }))
          expect(gas).toBeGreaterThan(10n ** 18n)
          for (const { address } of evmWallets) {
            expect(yield* wait(() => client.getBalance({ address }))).toBe(0n)
            for (const token of chain.tokens) {
              const contract = { abi: TestToken.abi, address: token.address as Address } as const
              const [symbol, decimals, balance] = yield* wait(() =>
                Promise.all([
                  client.readContract({ ...contract, functionName: "symbol" }),
                  client.readContract({ ...contract, functionName: "decimals" }),
                  client.readContract({ ...contract, functionName: "balanceOf", args: [address] })
                ])
              )
              expect([symbol, decimals]).toEqual([token.symbol, token.decimals])
              expect(balance).toBeGreaterThan(10n ** BigInt(decimals))
            }
          }
        }
      })
    )

    it.effect("lets the relayer of every chain deliver from the vault's inventory", () =>
      Effect.gen(function* () {
        const { evmA, operators } = yield* Devnet
        const client = reader(evmA)
        const vault = { abi: GeoVault.abi, address: evmA.contracts.vault as Address } as const
        const relayer = operators.find(({ family, role }) => family === "evm" && role === "relayer")?.address as Address
        expect(yield* wait(() => client.readContract({ ...vault, functionName: "isRelayer", args: [relayer] }))).toBe(
          true
        )
        const native = "0x0000000000000000000000000000000000000000"
        for (const [index, token] of [...evmA.tokens.map(({ address }) => address), native].entries()) {
          yield* wait(() =>
            client.simulateContract({
              ...vault,
              functionName: "deliver",
              args: [`0x${String(index).padStart(64, "0")}`, token as Address, relayer, 1_000_000n],
              account: relayer
            })
          )
        }
      })
    )

    for (const name of ["evmA", "evmB"] as const) {
      it.effect(
        `collects from a wallet that never had gas, and lets the relayer refund the same amount, on ${name}`,
        () =>
          Effect.gen(function* () {
            const { [name]: chain, evmWallets, operators } = yield* Devnet
            const [wallet] = evmWallets
            if (wallet === undefined) return expect.unreachable()
            const client = reader(chain)
            const hash = yield* wait(() => collect(chain, wallet, 5_000_000n))
            const receipt = yield* wait(() => client.waitForTransactionReceipt({ hash }))
            const [event] = parseEventLogs({ abi: GeoVault.abi, logs: receipt.logs, eventName: "Collected" })
            expect(event?.address.toLowerCase()).toBe(chain.contracts.vault.toLowerCase())
            expect(event?.args).toMatchObject({ account: wallet.address, amount: 5_000_000n })
            const code = yield* wait(() => client.getCode({ address: wallet.address }))
            expect(code).toBe(`0xef0100${chain.contracts.account.slice(2).toLowerCase()}`)
            expect(yield* wait(() => client.getBalance({ address: wallet.address }))).toBe(0n)

            const relayer = operators.find(({ family, role }) => family === "evm" && role === "relayer")
              ?.address as Address
            const token = chain.tokens[0]?.address as Address
            const refund = (amount: bigint) =>
              client.simulateContract({
                abi: GeoVault.abi,
                address: chain.contracts.vault as Address,
                functionName: "refund",
                args: [`0x${"42".repeat(32)}`, token, wallet.address, amount],
                account: relayer
              })
            yield* wait(() => refund(5_000_000n))
            const refused = yield* wait(() => refund(5_000_001n).then(String, String))
            expect(refused).toContain("ExceedsCollected")
          })
      )
    }

    it.effect("makes EVM blocks final without transactions", () =>
      Effect.gen(function* () {
        const { evmA } = yield* Devnet
        const client = reader(evmA)
        const target = yield* wait(() => client.getBlockNumber())
        yield* wait(async () => {
          for (;;) {
            const { number } = await client.getBlock({ blockTag: "finalized" })
            if (number >= target) return
            await new Promise((resolve) => setTimeout(resolve, 200))
          }
        })
      })
    )

    it.effect("funds every Solana wallet with every token, and no lamports", () =>
      Effect.gen(function* () {
        const { operators, solana, solanaWallets } = yield* Devnet
        const rpc = createSolanaRpc(solana.rpcUrl)
        expect(solanaWallets.length).toBeGreaterThanOrEqual(4)
        for (const { address } of solanaWallets) {
          expect((yield* wait(() => rpc.getBalance(address).send())).value).toBe(0n)
          for (const { address: mint, decimals } of solana.tokens) {
            const account = yield* wait(() => tokenAccountOf(address, mint as typeof address))
            const { value } = yield* wait(() => rpc.getTokenAccountBalance(account).send())
            expect(value.decimals).toBe(decimals)
            expect(BigInt(value.amount)).toBeGreaterThan(10n ** BigInt(decimals))
          }
        }
        const payer = operators.find(({ family, role }) => family === "solana" && role === "relayer")
        const { value } = yield* wait(() =>
          rpc.getBalance(payer?.address as (typeof solanaWallets)[number]["address"]).send()
        )
        expect(value).toBeGreaterThan(10n ** 9n)
      })
    )

    it.effect("returns a description with the documented fields", () =>
      Effect.gen(function* () {
        const { description, evmA } = yield* Devnet
        expect(Object.keys(description).toSorted()).toEqual(["chains", "operators", "wallets"])
        expect(description.chains.map(({ id, family }) => [id, family])).toEqual([
          [31337, "evm"],
          [31338, "evm"],
          [31339, "solana"]
        ])
        const [first] = description.chains
        expect(Object.keys(first ?? {})).toEqual(["id", "name", "family", "rpcUrl", "wsUrl", "tokens", "contracts"])
        expect(first?.contracts).toEqual(evmA.contracts)
        for (const { family, privateKey } of description.wallets) {
          expect(privateKey).toMatch(family === "evm" ? /^0x[0-9a-f]{64}$/ : /^[1-9A-HJ-NP-Za-km-z]{86,88}$/)
        }
      })
    )
  })
})
