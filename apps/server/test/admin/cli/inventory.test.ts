import { describe, layer } from "@effect/vitest"
import { Devnet } from "@geoswap/devnet"
import { Store } from "@geoswap/service"
import { StoreFixture } from "@geoswap/service/testing"
import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { zeroAddress } from "viem"
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts"
import { expect, vi } from "vitest"
import { formatWhole } from "../../../src/output/displayNames.js"
import * as Storage from "../../../src/storage/Storage.js"
import * as evm from "../../stack/evm.js"
import { eachChain } from "../../stack/fixture.js"
import { freePort } from "../../stack/freePort.js"
import { run } from "../../stack/program.js"
import { devnetLayer, environmentFor, fileFor } from "../../stack/stack.js"
import { folder } from "./fixture.js"

const { accept, attempt, me, order, plenty, to } = StoreFixture

// Every started process loads the whole service.
vi.setConfig({ testTimeout: 240_000 })

describe("geoswap-server inventory", () => {
  layer(devnetLayer, { timeout: 240_000, excludeTestServices: true })((it) => {
    it.effect("reports the other chains if one does not answer, and low or missing gas", () =>
      Effect.gen(function* () {
        const devnet = yield* Devnet.Devnet
        const path = yield* folder
        const { chains, ...file } = fileFor(devnet)
        const [a, b, svm] = chains
        const silent = { ...b, rpcUrls: [`http://127.0.0.1:${yield* freePort}/`] }
        writeFileSync(join(path, "geoswap.json"), JSON.stringify({ ...file, chains: [a, silent, svm] }))
        const workspace = { folder: path, environment: yield* environmentFor(devnet) }
        const { code, stderr, stdout } = yield* run(workspace, "inventory", "--min-gas", "1000000")
        expect(code).toBe(1)
        expect(stdout).toMatch(/^devnet-a \(evm 31337\), vault 0x\w{40}\n {2}token /)
        expect(stdout).toMatch(/\n\ndevnet-b \(evm 31338\), vault 0x\w{40}\n {2}could not be read\n\ndevnet-solana /)
        const [title, ...problems] = stderr.trimEnd().split("\n")
        expect(title).toBe("The inventory has problems:")
        expect(problems).toEqual([
          expect.stringMatching(
            /Chain 31337 \(devnet-a\): the relayer 0x\w{40} has [\d.,]+ ETH .+, which is less than 1,000,000\./
          ),
          expect.stringMatching(/Chain 31338 \(devnet-b\) could not be read: 127\.0\.0\.1:\d+/),
          expect.stringMatching(
            /Chain 31339 \(devnet-solana\): the relayer \w+ has [\d.,]+ SOL .+, which is less than 1,000,000\./
          )
        ])

        const german = { ...workspace, environment: { ...workspace.environment, LANG: "de_DE.UTF-8" } }
        expect((yield* run(german, "inventory", "--min-gas", "1000000")).stderr).toContain("less than 1.000.000.")
        const inJson = yield* run(german, "inventory", "--min-gas", "1000000", "--json")
        expect(inJson.stdout).toContain("less than 1000000.")

        const key = generatePrivateKey()
        const environment = { ...workspace.environment, GEOSWAP_EVM_RELAYER_KEY: key }
        const poor = yield* run({ ...workspace, environment }, "inventory", "--json")
        expect(poor.code).toBe(1)
        const { problems: found } = JSON.parse(poor.stdout) as { readonly problems: ReadonlyArray<string> }
        expect(found).toContain(
          `Chain 31337 (devnet-a): the relayer ${privateKeyToAddress(key)} has no ETH for gas. Top it up.`
        )
        expect(found).toHaveLength(2)
      })
    )

    it.effect("lists what older vaults hold, how many open swaps use them, and what relayers have pending", () =>
      Effect.gen(function* () {
        const devnet = yield* Devnet.Devnet
        const { evmA } = devnet
        const created = yield* Effect.promise(() => evm.deployVault(devnet, evmA, 5_000_000n))
        const path = yield* folder
        const old = { address: evmA.contracts.vault, delegate: evmA.contracts.account }
        const file = eachChain((chain) => {
          if (chain.kind !== "evm" || chain.id !== evmA.id) return chain
          return { ...chain, vaults: [old, { address: created.vault, delegate: created.account }] }
        })(fileFor(devnet))
        writeFileSync(join(path, "geoswap.json"), JSON.stringify(file))
        const workspace = { folder: path, environment: yield* environmentFor(devnet) }
        const idle = yield* run(workspace, "inventory", "--json")
        expect(idle.code).toBe(0)
        const { chains } = JSON.parse(idle.stdout) as { readonly chains: ReadonlyArray<object> }
        expect(chains[0]).toMatchObject({
          vault: old.address.toLowerCase(),
          olderVaults: [{ address: created.vault.toLowerCase(), openSwaps: 0 }]
        })
        expect(chains[1]).toMatchObject({ olderVaults: [] })
        const relayer = evm.operator(devnet, "relayer").address
        const gas = yield* Effect.promise(() => evm.balanceOf(evmA, zeroAddress, relayer))
        const idleRelayer = { address: relayer, gas: `${gas}`, pendingCost: "0", left: `${gas}` }
        expect(chains[0]).toMatchObject({ relayer: idleRelayer, relayers: [idleRelayer] })

        // No server runs, so it is not executed.
        const { operation } = order(1)
        if (operation._tag !== "evm") return yield* Effect.die("It is an operation of an EVM wallet.")
        const token = evm.tokenOf(evmA, "USDC")
        yield* Effect.gen(function* () {
          const store = yield* Store.Store
          const { id } = yield* store.account("operator")
          const ofNew = { ...operation, delegate: created.account.toLowerCase(), vault: created.vault.toLowerCase() }
          yield* accept(
            store,
            order(1, { accountId: id, operation: ofNew, destinationChain: evmA.id, outputToken: token }),
            plenty
          )
          const ofOld = { ...operation, nonce: "2", vault: old.address.toLowerCase() }
          yield* accept(
            store,
            order(2, { accountId: id, operation: ofOld, destinationChain: evmA.id, outputToken: token }),
            plenty
          )
          // The relayer has signed a cancellation that may cost 1/8 of its balance.
          const [swap] = yield* store.claim({ owner: me, leaseMillis: 60_000, limit: 1 })
          if (swap === undefined) return yield* Effect.die("There is no swap.")
          yield* store.raiseNonce(evmA.id, relayer, 7)
          const signed = attempt(1, { nonce: 7, cancels: true, maxCost: gas / 8n })
          const intent = { kind: "collect", chainId: evmA.id, signer: relayer, attempt: signed } as const
          yield* store.change(to(swap, "origin_prepared", { intent }))
        }).pipe(Effect.provide(Storage.store(Storage.file(join(path, "geoswap.db")))))
        const { stdout } = yield* run(workspace, "inventory")
        const [held, pending, left] = [gas, gas / 8n, gas - gas / 8n].map((amount) => formatWhole(amount, 18))
        expect(stdout).toContain(
          `\n  relayer ${relayer} with ${held} ETH for gas, of which pending transactions may cost ${pending} ETH and leave ${left} ETH; next nonce: 8 in the database`
        )
        expect(stdout).toMatch(
          new RegExp(
            `\n  older vault ${created.vault.toLowerCase()} with 5 USDC, .+; 1 open swap uses it\n  relayer 0x`
          )
        )
      })
    )
  })
})
