import { describe, layer } from "@effect/vitest"
import { GeoVault } from "@geoswap/contracts"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { type Address, encodeFunctionData, type Hash, type Hex, parseTransaction } from "viem"
import { expect } from "vitest"
import type * as Chains from "../../../src/chains/Chains.js"
import type { Job } from "../../../src/domain/Job.js"
import type { Attempt } from "../../../src/domain/SwapRecord.js"
import { EvmFixture, fresh32, freshAddress, layer as fixtureLayer } from "./fixture.js"

const vaultOf = ({ raw }: Attempt) => parseTransaction(raw as Hex).to?.toLowerCase()

/** The devnet chain with a second vault: as configured before, during and after the change. */
const twoVaults = (inVault = 1_000n) =>
  Effect.gen(function* () {
    const fixture = yield* EvmFixture
    const { chainWith, client, nextNonce, usdc } = fixture
    const old = { account: fixture.delegate.toLowerCase() as Address, vault: fixture.vault.toLowerCase() as Address }
    const created = yield* fixture.deployVault(inVault)
    const entry = ({ account, vault }: typeof old) => ({ address: vault, delegate: account })
    const [before, moving, after] = yield* Effect.all([
      chainWith({ vaults: [entry(old)] }),
      chainWith({ vaults: [entry(created), entry(old)] }),
      chainWith({ vaults: [entry(created)] })
    ])
    const send = Effect.fnUntraced(function* (chain: Chains.EvmChain, job: Job) {
      yield* TestClock.adjust("1 second")
      const attempt = yield* chain.sign(yield* chain.prepare(job), yield* nextNonce)
      yield* chain.broadcast(attempt)
      return attempt
    })
    const isUsed = (vault: Address, { orderId }: Job) =>
      Effect.promise(() =>
        client.readContract({
          abi: GeoVault.abi,
          address: vault,
          functionName: "isUsed",
          args: [orderId as Hash]
        })
      )
    const balanceOf = (owner: string) => before.balanceOf(usdc, owner)
    return { ...fixture, before, moving, after, old, created, send, isUsed, balanceOf }
  })

describe("an EVM chain with two vaults", () => {
  layer(fixtureLayer, { timeout: 240_000 })((it) => {
    it.effect("is verified vault by vault", () =>
      Effect.gen(function* () {
        const { chainWith, created, moving, old, usdc } = yield* twoVaults()
        yield* moving.verify
        expect(moving).toMatchObject({
          vault: created.vault,
          vaults: [created.vault, old.vault],
          delegate: created.account
        })
        const unused = freshAddress()
        const wrong = yield* chainWith({
          vaults: [
            { address: created.vault, delegate: old.account },
            { address: old.vault, delegate: old.account },
            { address: unused, delegate: old.account },
            { address: usdc, delegate: old.account }
          ]
        })
        const { message } = yield* Effect.flip(wrong.verify)
        expect(message.split("\n")).toEqual([
          `Chain 31337 (devnet-a): the vault ${created.vault} does not accept wallets delegated to ${old.account}.`,
          `Chain 31337 (devnet-a): there is no contract at the vault address ${unused}.`,
          `Chain 31337 (devnet-a): the contract at ${usdc.toLowerCase()} is not a GeoSwap vault.`
        ])
      })
    )

    it.effect("collects into the vault of the wallet's delegate", () =>
      Effect.gen(function* () {
        const { after, balanceOf, before, collectJob, created, moving, newWallet, node, old, send, usdc } =
          yield* twoVaults()
        const [early, late] = [yield* newWallet(100n), yield* newWallet(100n)]
        yield* send(before, yield* collectJob(early, 10n, { authorizeAt: 0 }))
        yield* node.mine()
        expect(yield* moving.walletState(early.address)).toMatchObject({
          delegation: "ours",
          delegatedTo: old.account,
          vault: old.vault
        })
        expect(yield* moving.walletState(late.address)).toEqual({ delegation: "none", nonce: 0 })

        const [inOld, inNew] = [yield* balanceOf(old.vault), yield* balanceOf(created.vault)]
        const again = yield* collectJob(early, 20n, { nonce: 1n })
        const first = yield* collectJob(late, 30n, { authorizeAt: 0, contracts: created })
        const toOld = yield* send(moving, again)
        yield* node.mine()
        const toNew = yield* send(moving, first)
        expect([toOld, toNew].map(vaultOf)).toEqual([old.vault, created.vault])
        yield* node.mine(3)
        expect(yield* moving.observe(again, [toOld])).toMatchObject({ _tag: "Done", hash: toOld.hash })
        expect(yield* moving.observe(first, [toNew])).toMatchObject({ _tag: "Done", hash: toNew.hash })
        // Even if the operation names the wrong vault: "Never" would let the swap fail after the wallet has paid.
        const misnamed = { ...again, operation: { ...again.operation, vault: created.vault } as typeof again.operation }
        for (const job of [again, misnamed]) {
          expect(yield* moving.collection(job)).toMatchObject({ _tag: "Collected", hash: toOld.hash })
        }
        expect(yield* moving.collection(first)).toMatchObject({ _tag: "Collected", hash: toNew.hash })
        const removed = yield* Effect.flip(after.collection(again))
        expect(removed.message).toContain(`belongs to another vault, ${old.vault}`)
        expect(yield* balanceOf(old.vault)).toBe(inOld + 20n)
        expect(yield* balanceOf(created.vault)).toBe(inNew + 30n)
        expect(yield* moving.walletState(late.address)).toMatchObject({ delegation: "ours", vault: created.vault })
        expect(yield* before.walletState(late.address)).toMatchObject({ delegation: "foreign" })
        expect(yield* moving.balanceOf(usdc, early.address)).toBe(70n)
      })
    )

    it.effect("collects from a wallet whose delegate was added later", () =>
      Effect.gen(function* () {
        const { addAccount, collectJob, deployAccount, moving, newWallet, old, send } = yield* twoVaults()
        const account = (yield* deployAccount).toLowerCase() as Address
        yield* addAccount(account)
        const wallet = yield* newWallet(100n)
        const contracts = { account, vault: old.vault }
        const attempt = yield* send(moving, yield* collectJob(wallet, 10n, { authorizeAt: 0, contracts }))
        expect(vaultOf(attempt)).toBe(old.vault)
      })
    )

    it.effect("bounds an input by the cap of the vault that the wallet pays", () =>
      Effect.gen(function* () {
        const { before, collectJob, created, byOwner, moving, newWallet, node, send, usdc } = yield* twoVaults()
        const [early, late] = [yield* newWallet(100n), yield* newWallet(100n)]
        yield* send(before, yield* collectJob(early, 10n, { authorizeAt: 0 }))
        yield* node.mine()
        const cap = encodeFunctionData({ abi: GeoVault.abi, functionName: "setCap", args: [usdc, 55n] })
        yield* byOwner(created.vault, cap)
        expect(yield* moving.largestInput(usdc, late.address)).toBe(55n)
        expect(yield* moving.largestInput(usdc, early.address)).toBe(yield* before.largestInput(usdc, early.address))
        expect(yield* moving.inventoryOf(usdc)).toBe(55n)
      })
    )

    it.effect("keeps a delivery in the vault that it was signed for, no matter which vault is first", () =>
      Effect.gen(function* () {
        const { before, created, isUsed, moving, node, old, send, sendJob, usdc } = yield* twoVaults()
        const job = sendJob("deliver", usdc, freshAddress(), 5n)
        const attempt = yield* send(before, job)
        expect(moving.vaultOf([attempt])).toBe(old.vault)
        expect(yield* moving.observe(job, [attempt])).toEqual({ _tag: "Waiting" })

        yield* TestClock.adjust("1 minute")
        const bumped = yield* moving.replace(job, [attempt], false)
        if (bumped === undefined) return yield* Effect.die("There is no replacement.")
        expect(vaultOf(bumped)).toBe(old.vault)
        // Some nodes simulate on top of pending transactions, so this must be another order.
        const other = { ...job, orderId: fresh32() }
        const retried = yield* moving.sign(yield* moving.prepare({ ...other, vault: old.vault }), 1_000)
        expect(vaultOf(retried)).toBe(old.vault)
        expect(vaultOf(yield* moving.sign(yield* moving.prepare(other), 1_000))).toBe(created.vault)

        yield* node.mine(3)
        expect(yield* moving.observe(job, [attempt, bumped])).toMatchObject({ _tag: "Done", hash: attempt.hash })
        expect([yield* isUsed(old.vault, job), yield* isUsed(created.vault, job)]).toEqual([true, false])
        expect(yield* moving.externalSettlement({ ...job, vault: old.vault })).toMatchObject({ _tag: "Done" })
      })
    )

    it.effect("rejects attempts of two vaults for one delivery", () =>
      Effect.gen(function* () {
        const { before, created, moving, nextNonce, node, old, sendJob, usdc } = yield* twoVaults()
        const job = sendJob("deliver", usdc, freshAddress(), 5n)
        const nonce = yield* nextNonce
        const one = yield* before.sign(yield* before.prepare(job), nonce)
        const other = yield* moving.sign(yield* moving.prepare(job), nonce)
        const refused = `${other.hash} was signed for another vault, ${created.vault}`
        expect((yield* Effect.flip(moving.observe(job, [one, other]))).message).toContain(refused)
        const named = { ...job, vault: old.vault }
        expect((yield* Effect.flip(moving.observe(named, [other]))).message).toContain(refused)
        yield* TestClock.adjust("1 minute")
        expect(yield* moving.replace(named, [other], false)).toBeUndefined()
        yield* node.mine()
      })
    )

    it.effect("delivers from the next vault if the first one cannot, but not if the order is paid", () =>
      Effect.gen(function* () {
        const { before, created, isUsed, moving, node, old, send, sendJob, usdc } = yield* twoVaults(4n)
        const small = sendJob("deliver", usdc, freshAddress(), 4n)
        const large = sendJob("deliver", usdc, freshAddress(), 5n)
        expect(vaultOf(yield* send(moving, large))).toBe(old.vault)
        yield* node.mine()
        expect(vaultOf(yield* send(moving, small))).toBe(created.vault)
        yield* node.mine()
        const everything = (yield* before.inventoryOf(usdc)) + 1n
        const tooMuch = yield* Effect.flip(moving.prepare({ ...large, orderId: fresh32(), amount: everything }))
        expect(tooMuch).toMatchObject({ _tag: "Impossible", code: "INSUFFICIENT_INVENTORY" })

        const paidByOld = yield* Effect.flip(moving.prepare(large))
        expect(paidByOld).toMatchObject({ _tag: "Impossible", code: "ALREADY_DONE" })
        const paidByNew = yield* Effect.flip(moving.prepare(small))
        expect(paidByNew).toMatchObject({ _tag: "Impossible", code: "ALREADY_DONE" })
        expect([yield* isUsed(old.vault, small), yield* isUsed(created.vault, large)]).toEqual([false, false])
      })
    )

    it.effect("finds a payment of an order by any of its vaults", () =>
      Effect.gen(function* () {
        const { after, before, byOwner, created, moving, nextNonce, node, old, sendJob, usdc } = yield* twoVaults()
        for (const kind of ["deliver", "refund"] as const) {
          for (const vault of [old.vault, created.vault]) {
            const job = sendJob(kind, usdc, freshAddress(), 6n)
            const args = [job.orderId as Hash, job.token as Address, job.to as Address, job.amount] as const
            expect(yield* moving.externalSettlement(job)).toEqual({ _tag: "Unused" })
            // Only relayers deliver: this is a server with another configuration, or one that lost its database.
            if (kind === "deliver") {
              const other = vault === old.vault ? before : after
              yield* other.broadcast(yield* other.sign(yield* other.prepare(job), yield* nextNonce))
              yield* node.mine()
            } else yield* byOwner(vault, encodeFunctionData({ abi: GeoVault.abi, functionName: kind, args }))
            const early = yield* moving.externalSettlement(job)
            expect(early).toMatchObject({ _tag: "Unclear" })
            yield* node.mine(3)
            expect(yield* moving.externalSettlement(job)).toMatchObject({ _tag: "Done" })
            const more = yield* moving.externalSettlement({ ...job, amount: 7n })
            expect(more).toMatchObject({ _tag: "Unclear" })
            // A server without that vault in its configuration cannot find it.
            const ignorant = vault === old.vault ? after : before
            expect(yield* ignorant.externalSettlement(job)).toEqual({ _tag: "Unused" })
          }
        }
      })
    )

    it.effect("stops jobs of a vault that is no longer configured, and reports it", () =>
      Effect.gen(function* () {
        const { after, before, collectJob, deployVault, moving, newWallet, node, old, send, sendJob, usdc } =
          yield* twoVaults()
        const job = sendJob("deliver", usdc, freshAddress(), 5n)
        const attempt = yield* send(before, job)
        const words = "Run the service with the previous configuration until the vault's swaps have finished"
        const observed = yield* Effect.flip(after.observe(job, [attempt]))
        expect(observed.message).toContain(`${attempt.hash} was signed for another vault, ${old.vault}. ${words}`)
        for (const kind of ["deliver", "refund"] as const) {
          const named = { ...job, kind, vault: old.vault }
          const refused = [Effect.asVoid(after.prepare(named)), Effect.asVoid(after.externalSettlement(named))]
          for (const error of yield* Effect.forEach(refused, Effect.flip)) {
            expect(error).toMatchObject({ _tag: "ChainUnavailable", timeout: false })
            expect(error.message).toContain(`belongs to another vault, ${old.vault}. ${words}`)
          }
        }
        yield* node.mine()

        const third = yield* deployVault(0n)
        const wallet = yield* newWallet(10n)
        const unknown = yield* collectJob(wallet, 1n, { authorizeAt: 0, contracts: third })
        const error = yield* Effect.flip(moving.prepare(unknown))
        expect(error).toMatchObject({ _tag: "ChainUnavailable" })
        expect(error.message).toContain(`belongs to another vault, ${third.vault}. ${words}`)
      })
    )
  })
})
