import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, layer } from "@effect/vitest"
import { Devnet } from "@geoswap/devnet"
import { Store } from "@geoswap/service"
import * as Effect from "effect/Effect"
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts"
import { expect, vi } from "vitest"
import { order, plenty, accept } from "../../../../packages/service/src/testing/storeContract/fixture.js"
import * as Storage from "../../src/storage/Storage.js"
import * as evm from "../stack/evm.js"
import { eachChain } from "../stack/fixture.js"
import { devnetLayer, environmentFor, fileFor } from "../stack/stack.js"
import { folder } from "./fixture.js"
import { freePort } from "../freePort.js"
import { run } from "./program.js"

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

    it.effect("lists what older vaults hold, and how many open swaps use them", () =>
      Effect.gen(function* () {
        const devnet = yield* Devnet.Devnet
        const { evmA } = devnet
        const created = yield* Effect.promise(() => evm.deployVault(devnet, evmA, 5_000_000n))
        const path = yield* folder
        const old = { address: evmA.contracts.vault, delegate: evmA.contracts.account }
        const file = eachChain((chain) => {
          if (chain.kind !== "evm" || chain.id !== evmA.id) return chain
          const { delegate: _delegate, vault: _vault, ...rest } = chain
          return { ...rest, vaults: [old, { address: created.vault, delegate: created.account }] }
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

        // No server runs, so it is not executed.
        const { operation } = order(1)
        if (operation._tag !== "evm") return yield* Effect.die("It is an operation of an EVM wallet.")
        const token = evm.tokenOf(evmA, "USDC")
        yield* Effect.gen(function* () {
          const store = yield* Store.Store
          const { id } = yield* store.account("operator")
          const ofNew = { ...operation, delegate: created.account.toLowerCase() }
          yield* accept(
            store,
            order(1, { accountId: id, operation: ofNew, destinationChain: evmA.id, outputToken: token }),
            plenty
          )
          const ofOld = { ...operation, nonce: "2", delegate: evmA.contracts.account.toLowerCase() }
          yield* accept(
            store,
            order(2, { accountId: id, operation: ofOld, destinationChain: evmA.id, outputToken: token }),
            plenty
          )
        }).pipe(Effect.provide(Storage.store(Storage.file(join(path, "geoswap.db")))))
        const { stdout } = yield* run(workspace, "inventory")
        expect(stdout).toMatch(
          new RegExp(
            `\n  older vault ${created.vault.toLowerCase()} with 5 USDC, .+; 1 open swap uses it\n  relayer 0x`
          )
        )
      })
    )
  })
})
