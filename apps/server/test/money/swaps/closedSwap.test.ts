import { describe, layer } from "@effect/vitest"
import { GeoVault } from "@geoswap/contracts"
import { Devnet } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import * as References from "effect/References"
import { type Address, zeroAddress } from "viem"
import { expect } from "vitest"
import { clientOf } from "../../stack/client.js"
import * as database from "../../stack/database.js"
import * as evm from "../../stack/evm.js"
import { start, timeout, until, usdcToWeth } from "../../stack/fixture.js"
import { entriesOf, open } from "../../stack/ledger.js"
import { expectEnd, proofsOf } from "../../stack/outcome.js"
import { run } from "../../stack/program.js"
import { devnetLayer, type File, serve, workspaceFor } from "../../stack/stack.js"

const usdc = 1_000_000n

describe("swap whose order the vault's owner paid only in part", () => {
  layer(devnetLayer, { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "stays open until the operator closes it with that transaction and a reason",
      () =>
        Effect.gen(function* () {
          const devnet = yield* Devnet.Devnet
          const { evmA, evmB } = devnet
          // The service does not refund before the owner does.
          const patient = (file: File): File => ({ ...file, execution: { deliveryRetryMillis: 600_000 } })
          const workspace = yield* workspaceFor(devnet, patient)
          const { database: path } = workspace
          const running = yield* serve(devnet, patient, workspace)
          const vaultOf = (chain: Devnet.EvmChain, functionName: string, ...args: ReadonlyArray<unknown>) =>
            evm.asOwner(devnet, chain, {
              address: chain.contracts.vault as Address,
              abi: GeoVault.abi,
              functionName,
              args
            })

          const { collected, less, ledger, started, wallet } = yield* Effect.promise(async () => {
            const { account } = await evm.newWallet(devnet, evmA, { USDC: 10n * usdc })
            const wallet = account.address
            const recipient = evm.newAddress()
            const token = evm.tokenOf(evmA, "USDC")
            const ledger = await open([
              ...entriesOf(evmA, { wallet, vault: evmA.contracts.vault }, zeroAddress),
              ...entriesOf(evmB, { recipient, vault: evmB.contracts.vault }, zeroAddress)
            ])
            await vaultOf(evmB, "pause")
            const client = await clientOf(devnet, running, { evm: account })
            const started = await start(client, usdcToWeth(devnet, wallet, recipient))
            await until(() => database.stateOf(path, started.swapId) === "origin_final")
            const orderId = database.orderOf(path, started.swapId)
            const less = await vaultOf(evmA, "refund", orderId, token, wallet, started.amount - 1n)
            // The service has seen it: nothing may be delivered, and nothing is reserved. A step that read the chain before
            // the refund could still deliver.
            await until(() => database.leftOf(path).reserved === 0)
            await vaultOf(evmB, "unpause")
            await evm.untilFinal(evmA, less)
            const [collected = ""] = (await proofsOf(devnet, orderId)).collected
            return { collected, less, ledger, started, wallet }
          })

          const close = (hash: string, ...more: ReadonlyArray<string>) =>
            run(workspace, "swaps", "close", started.swapId, "--transaction", hash, ...more)
          const another = yield* close(collected)
          expect(another).toMatchObject({ code: 1, stdout: "" })
          expect(another.stderr).toContain("shows no payment from a configured vault for this order")
          expect((yield* close(`0x${"ab".repeat(32)}`)).stderr).toContain("does not have this transaction")
          const silent = yield* close(less)
          expect(silent).toMatchObject({ code: 1, stdout: "" })
          expect(silent.stderr).toContain(`refund of ${started.amount - 1n} units of `)
          expect(silent.stderr).toContain("close the swap with --reason <text>")
          expect(database.stateOf(path, started.swapId)).toBe("origin_final")

          const reason = "the rest was paid by hand"
          const { code, stderr, stdout } = yield* close(less, "--reason", reason, "--json")
          expect(stderr).toBe("")
          const token = expect.stringMatching(/^0x/) as string
          expect({ code, ...(JSON.parse(stdout) as object) }).toEqual({
            code: 0,
            id: started.swapId,
            state: "refunded",
            inFull: false,
            proof: {
              kind: "refund",
              chainId: evmA.id,
              to: wallet,
              token,
              amount: `${started.amount - 1n}`,
              hash: less,
              block: expect.stringMatching(/^\d+$/) as string,
              nodes: [new URL(evmA.rpcUrl).host]
            },
            owed: { to: expect.stringMatching(new RegExp(wallet, "i")) as string, token, amount: `${started.amount}` }
          })
          yield* Effect.promise(() => expectEnd({ devnet, running }, started, "refunded", "REFUNDED_BY_OWNER"))
          expect(database.leftOf(path)).toEqual({ open: 0, reserved: 0 })
          const story = yield* run(workspace, "swaps", "show", started.swapId)
          expect(story.stdout).toContain(`(${reason})`)
          const again = yield* close(less, "--reason", reason)
          expect(again.stderr).toContain(
            "The swap's state is refunded. Only an unfinished swap whose input has arrived can be closed."
          )
          expect(yield* Effect.promise(ledger)).toEqual({
            [`wallet USDC@${evmA.id}`]: -1n,
            [`vault USDC@${evmA.id}`]: 1n
          })
        }).pipe(Effect.scoped, Effect.provideService(References.MinimumLogLevel, "None")),
      timeout
    )
  })
})
