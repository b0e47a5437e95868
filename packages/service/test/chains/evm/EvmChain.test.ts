import { describe, layer } from "@effect/vitest"
import { Wallets } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { maxUint256, parseTransaction } from "viem"
import { expect } from "vitest"
import type { CostQuery } from "../../../src/chains/Draft.js"
import * as EvmChain from "../../../src/chains/evm/EvmChain.js"
import type { Job } from "../../../src/domain/Job.js"
import { EvmFixture, fresh32, freshAddress, layer as fixtureLayer, native } from "./fixture.js"

const usdcCap = 2n ** 200n
const gwei = 1_000_000_000n

describe("EvmChain", () => {
  layer(fixtureLayer, { timeout: 240_000 })((it) => {
    it.effect("accepts a chain that matches its configuration", () =>
      Effect.gen(function* () {
        const { chain, config, key } = yield* EvmFixture
        yield* chain.verify
        expect(chain).toMatchObject({ id: 31337, family: "evm", vault: config.vaults[0].address, relayer: key.address })
        expect(chain.tokens).toEqual(config.tokens)
      })
    )

    it.effect("lists all differences from its configuration at once", () =>
      Effect.gen(function* () {
        const { chainWith, config, delegate, usdc, vault, weth } = yield* EvmFixture
        const unused = freshAddress()
        const wrong = yield* chainWith({
          id: 1,
          vaults: [{ address: vault, delegate: unused }],
          tokens: [
            { symbol: "A", address: usdc, decimals: 18 },
            { symbol: "B", address: unused, decimals: 6 },
            { symbol: "C", address: vault, decimals: 6 },
            { symbol: "D", address: "0x12", decimals: 6 },
            { symbol: "E", address: weth, decimals: 18 },
            { symbol: "F", address: native, decimals: 18 }
          ]
        })
        const { message } = yield* Effect.flip(wrong.verify)
        expect(message.split("\n")).toEqual([
          "Chain 1 (devnet-a): the node is on chain 31337. Set rpcUrls to nodes on chain 1.",
          `Chain 1 (devnet-a): the vault ${vault.toLowerCase()} does not accept wallets delegated to ${unused}.`,
          "Chain 1 (devnet-a): A has 6 decimals, but 18 is configured.",
          `Chain 1 (devnet-a): there is no contract at the B address ${unused}.`,
          `Chain 1 (devnet-a): the contract at the C address ${vault} is not a token.`,
          "Chain 1 (devnet-a): the D address 0x12 is invalid."
        ])
        const elsewhere = yield* Effect.flip((yield* chainWith({ vaults: [{ address: unused, delegate }] })).verify)
        expect(elsewhere.message).toContain(`no contract at the vault address ${unused}`)
        const noVault = yield* Effect.flip((yield* chainWith({ vaults: [{ address: usdc, delegate }] })).verify)
        expect(noVault.message).toContain("is not a GeoSwap vault")
        expect(config.tokens.length).toBeGreaterThan(0)
      })
    )

    it.effect("refuses a chain without the contract that knows its fees", () =>
      Effect.gen(function* () {
        const { chainWith } = yield* EvmFixture
        const chain = yield* chainWith({ feeModel: "op-stack" })
        expect((yield* Effect.flip(chain.verify)).message).toMatch(/there is no GasPriceOracle at 0x42.* Set feeModel/)
      })
    )

    it.effect("refuses a relayer without the role", () =>
      Effect.gen(function* () {
        const { config, key } = yield* EvmFixture
        const chain = yield* EvmChain.make({ config, keys: [{ ...key, address: freshAddress() }] })
        expect((yield* Effect.flip(chain.verify)).message).toContain("is not a relayer for the vault")
      })
    )

    it.effect("reads balances, and an inventory within the hourly cap", () =>
      Effect.gen(function* () {
        const { chain, mint, send, sendJob, setCap, node, usdc, vault } = yield* EvmFixture
        const to = freshAddress()
        yield* mint(usdc, to, 7n)
        expect(yield* chain.balanceOf(usdc, to)).toBe(7n)
        expect(yield* chain.balanceOf(native, to)).toBe(0n)
        expect(yield* chain.balanceOf(native, vault)).toBeGreaterThan(0n)
        expect(yield* chain.inventoryOf(usdc)).toBe(yield* chain.balanceOf(usdc, vault))
        expect(yield* chain.inventoryOf(native)).toBe(yield* chain.balanceOf(native, vault))
        expect(yield* chain.largestInput(usdc, to)).toBe(usdcCap)

        yield* send(sendJob("deliver", usdc, to, 1_000n))
        yield* node.mine()
        yield* setCap(usdc, 5_000n)
        const left = yield* chain.inventoryOf(usdc)
        expect(left).toBeLessThanOrEqual(4_000n)
        expect(yield* chain.largestInput(usdc, to)).toBe(5_000n)
        yield* setCap(usdc, 10n)
        expect(yield* chain.inventoryOf(usdc)).toBe(0n)
        yield* setCap(usdc, usdcCap)
      })
    )

    it.effect("accepts no input above the largest refund that relayers may make", () =>
      Effect.gen(function* () {
        const { chain, setCap, setRefundCap, usdc } = yield* EvmFixture
        const payer = freshAddress()
        yield* setCap(usdc, 5_000n)
        yield* setRefundCap(usdc, 300n)
        expect(yield* chain.largestInput(usdc, payer)).toBe(300n)
        yield* setRefundCap(usdc, 6_000n)
        expect(yield* chain.largestInput(usdc, payer)).toBe(5_000n)
        yield* setRefundCap(usdc, 0n)
        expect(yield* chain.largestInput(usdc, payer)).toBe(0n)
        yield* setRefundCap(usdc, maxUint256)
        yield* setCap(usdc, usdcCap)
      })
    )

    it.effect("reads the latest block", () =>
      Effect.gen(function* () {
        const { chain, node } = yield* EvmFixture
        const before = yield* chain.height
        yield* node.mine(2)
        expect(yield* chain.height).toBe(before + 2n)
      })
    )

    it.effect("keeps the same inventory for deliveries after a refund", () =>
      Effect.gen(function* () {
        const { chain, collectInput, node, send, sendJob, setCap, usdc } = yield* EvmFixture
        yield* collectInput(usdc, 1_000n)
        yield* setCap(usdc, 1_000_000n)
        const inventory = yield* chain.inventoryOf(usdc)
        expect(inventory).toBeGreaterThan(0n)
        yield* send(sendJob("refund", usdc, freshAddress(), 1_000n))
        yield* node.mine()
        // More if the clock hour is another one by now.
        expect(yield* chain.inventoryOf(usdc)).toBeGreaterThanOrEqual(inventory)
        yield* setCap(usdc, usdcCap)
      })
    )

    it.effect("prices a collect by the wallet's delegation and a delivery by its recipient", () =>
      Effect.gen(function* () {
        const { chainWith, client, mint, newWallet, nextBaseFee, node, send, sendJob, usdc } = yield* EvmFixture
        // The first delivery of a token that the vault counts needs more gas.
        for (const token of [usdc, native]) {
          yield* send(sendJob("deliver", token, freshAddress(), 1n))
          yield* node.mine()
        }
        // After empty blocks the tip is 1 gwei.
        yield* node.mine(10)
        yield* node.setBaseFee(10n * gwei)
        yield* node.mine()
        const price = (yield* nextBaseFee) + gwei
        expect(price).toBe(8_750_000_000n + gwei)
        const chain = yield* chainWith({})
        const wallet = yield* newWallet(0n)
        /** Expects a quote to charge for this much gas and at most 3% more, at a price that is a quarter higher than now. */
        const expectGas = Effect.fnUntraced(function* (
          gas: bigint,
          query: Pick<CostQuery, "kind" | "party" | "token">,
          perGas = (price * 125n) / 100n
        ) {
          const cost = yield* (perGas < price ? bounded : chain).costOf({ ...query, opensAccount: false })
          expect(cost).toBeGreaterThanOrEqual(gas * perGas)
          expect(cost).toBeLessThanOrEqual((gas * perGas * 103n) / 100n)
        })
        const bounded = yield* chainWith({ maxFeePerGas: 5n * gwei })
        const party = wallet.address
        const holder = Wallets.evmWallet("alice").address
        yield* expectGas(108_180n, { kind: "collect", token: usdc, party })
        yield* expectGas(89_023n, { kind: "deliver", token: usdc, party })
        yield* expectGas(90_774n, { kind: "deliver", token: native, party })
        yield* expectGas(65_774n, { kind: "deliver", token: native, party: Wallets.evmWallet("owner").address })
        yield* expectGas(71_923n, { kind: "deliver", token: usdc, party: holder })
        // An account that exists is cheaper to delegate.
        yield* Effect.promise(() => client.setBalance({ address: party, value: 1n }))
        yield* expectGas(95_680n, { kind: "collect", token: usdc, party })
        yield* Effect.promise(() =>
          client.setCode({ address: party, bytecode: `0xef0100${chain.delegate.slice(2)}` as const })
        )
        yield* expectGas(68_593n, { kind: "collect", token: usdc, party })
        // For an unknown party, a later swap to a recipient that holds the token.
        yield* expectGas(68_593n, { kind: "collect", token: usdc })
        yield* expectGas(71_923n, { kind: "deliver", token: usdc })
        yield* expectGas(65_774n, { kind: "deliver", token: native })
        yield* expectGas(71_923n, { kind: "deliver", token: usdc, party: holder }, 5n * gwei)
        yield* mint(usdc, wallet.address, 1n)
        yield* node.setBaseFee(gwei)
        yield* node.mine()
      })
    )

    it.effect("reads the newest finalized block's time, and the relayer's nonce there", () =>
      Effect.gen(function* () {
        const { chain, client, nextNonce, node, send, sendJob, usdc } = yield* EvmFixture
        const start = Number((yield* Effect.promise(() => client.getBlock())).timestamp)
        for (const offset of [100, 200, 300]) yield* node.setTime(start + offset)
        expect(yield* chain.finalTime).toBe(start + 100)
        const before = yield* nextNonce
        expect(yield* chain.relayerNonce(chain.relayer)).toBe(before)
        yield* send(sendJob("deliver", usdc, freshAddress(), 1n))
        yield* node.mine(2)
        expect([yield* nextNonce, yield* chain.relayerNonce(chain.relayer)]).toEqual([before + 1, before])
        yield* node.mine()
        expect(yield* chain.relayerNonce(chain.relayer)).toBe(before + 1)
      })
    )

    it.effect("distinguishes wallets that are delegated to us from others", () =>
      Effect.gen(function* () {
        const { chain, client, delegate, newWallet, usdc, vault } = yield* EvmFixture
        const { address } = yield* newWallet(0n)
        const setCode = (bytecode: `0x${string}`) => Effect.promise(() => client.setCode({ address, bytecode }))
        expect(yield* chain.walletState(address)).toEqual({ delegation: "none", nonce: 0 })
        yield* setCode(`0xef0100${delegate.slice(2)}`)
        expect(yield* chain.walletState(address)).toEqual({
          delegation: "ours",
          delegatedTo: delegate.toLowerCase(),
          vault: vault.toLowerCase(),
          nonce: 0
        })
        yield* setCode(`0xef0100${usdc.slice(2)}`)
        expect(yield* chain.walletState(address)).toMatchObject({
          delegation: "foreign",
          delegatedTo: usdc.toLowerCase()
        })
        yield* setCode("0x6000")
        expect(yield* chain.walletState(address)).toEqual({ delegation: "foreign", nonce: 0 })
      })
    )

    it.effect("learns within a minute that the vault accepts another version of the account", () =>
      Effect.gen(function* () {
        const { addAccount, chain, client, deployAccount, newWallet } = yield* EvmFixture
        const account = yield* deployAccount
        const { address } = yield* newWallet(0n)
        yield* Effect.promise(() => client.setCode({ address, bytecode: `0xef0100${account.slice(2)}` }))
        expect(yield* chain.walletState(address)).toMatchObject({ delegation: "foreign" })
        yield* addAccount(account)
        yield* TestClock.adjust("1 minute")
        expect(yield* chain.walletState(address)).toMatchObject({ delegation: "ours" })
      })
    )

    it.effect("collects with and without an authorization, and each is done once it is final", () =>
      Effect.gen(function* () {
        const { chain, client, collectJob, newWallet, node, send, usdc, vault } = yield* EvmFixture
        const wallet = yield* newWallet(1_000n)
        const before = yield* chain.balanceOf(usdc, vault)
        const first = yield* collectJob(wallet, 300n, { authorizeAt: 0 })
        const attempt = yield* send(first)
        expect(parseTransaction(attempt.raw as `0x04${string}`)).toMatchObject({
          type: "eip7702",
          nonce: attempt.nonce
        })
        expect(yield* chain.observe(first, [attempt])).toEqual({ _tag: "Waiting" })
        yield* node.mine()
        const { hash } = attempt
        const block = yield* Effect.promise(() => client.getBlockNumber())
        expect(yield* chain.observe(first, [attempt])).toEqual({ _tag: "Included", hash, succeeded: true, block })
        yield* node.mine()
        expect(yield* chain.observe(first, [attempt])).toEqual({ _tag: "Included", hash, succeeded: true, block })
        yield* node.mine()
        expect(yield* chain.observe(first, [attempt])).toMatchObject({ _tag: "Done", hash })
        expect(yield* chain.walletState(wallet.address)).toMatchObject({ delegation: "ours", nonce: 1 })
        // Of another job, the same transaction proves nothing.
        const others: ReadonlyArray<Job> = [
          { ...first, orderId: fresh32() },
          { ...first, wallet: freshAddress() },
          { ...first, token: freshAddress() },
          { ...first, amount: 299n },
          { ...first, terms: fresh32() }
        ]
        for (const other of others) {
          expect(yield* chain.observe(other, [attempt])).toMatchObject({ _tag: "Dead", why: "reverted", hash })
        }

        const later = yield* collectJob(wallet, 200n, { nonce: 1n })
        const second = yield* send(later)
        expect(parseTransaction(second.raw as `0x02${string}`).type).toBe("eip1559")
        yield* node.mine(3)
        expect(yield* chain.observe(later, [second])).toMatchObject({ _tag: "Done", hash: second.hash })
        expect(yield* chain.balanceOf(usdc, wallet.address)).toBe(500n)
        expect(yield* chain.balanceOf(usdc, vault)).toBe(before + 500n)
      })
    )

    it.effect("accepts a stale authorization if the wallet is already delegated", () =>
      Effect.gen(function* () {
        const { chain, collectJob, newWallet, node, send } = yield* EvmFixture
        const wallet = yield* newWallet(1_000n)
        yield* send(yield* collectJob(wallet, 1n, { authorizeAt: 0 }))
        yield* node.mine()
        const again = yield* collectJob(wallet, 2n, { authorizeAt: 0, nonce: 1n })
        const attempt = yield* send(again)
        yield* node.mine(3)
        expect(yield* chain.observe(again, [attempt])).toMatchObject({ _tag: "Done", hash: attempt.hash })
      })
    )

    it.effect("delivers and refunds exact amounts of tokens and the native token", () =>
      Effect.gen(function* () {
        const { chain, collectInput, node, send, sendJob, usdc, vault } = yield* EvmFixture
        yield* collectInput(usdc, 12_345n)
        for (const token of [usdc, native]) {
          // The native token is never collected, so relayers have none to refund.
          for (const kind of token === native ? (["deliver"] as const) : (["deliver", "refund"] as const)) {
            const to = freshAddress()
            const before = yield* chain.balanceOf(token, vault)
            const job = sendJob(kind, token, to, 12_345n)
            const attempt = yield* send(job)
            const { gas = 0n } = parseTransaction(attempt.raw as `0x02${string}`)
            if (token === native) expect(gas).toBeGreaterThanOrEqual(300_000n)
            yield* node.mine(3)
            expect(yield* chain.observe(job, [attempt])).toMatchObject({ _tag: "Done", hash: attempt.hash })
            expect(yield* chain.balanceOf(token, to)).toBe(12_345n)
            expect(yield* chain.balanceOf(token, vault)).toBe(before - 12_345n)
            // Of another job, the same transaction proves nothing.
            const others: ReadonlyArray<Job> = [
              { ...job, amount: 12_346n },
              { ...job, to: freshAddress() },
              { ...job, token: chain.vault },
              { ...job, kind: kind === "deliver" ? "refund" : "deliver" }
            ]
            for (const other of others) {
              expect(yield* chain.observe(other, [attempt])).toMatchObject({ _tag: "Dead", why: "reverted" })
            }
          }
        }
      })
    )

    it.effect("offers twice the base fee plus the tip, up to the limit", () =>
      Effect.gen(function* () {
        const { chainWith, nextBaseFee, node, sendJob, usdc } = yield* EvmFixture
        const job = sendJob("deliver", usdc, freshAddress(), 1n)
        yield* node.mine(10)
        yield* node.setBaseFee(2n * gwei)
        yield* node.mine()
        const baseFee = yield* nextBaseFee
        const chain = yield* chainWith({})
        const attempt = yield* chain.sign(yield* chain.prepare(job), 5)
        expect(attempt).toMatchObject({
          nonce: 5,
          cancels: false,
          maxFeePerGas: 2n * baseFee + gwei,
          maxPriorityFeePerGas: gwei
        })
        const poor = yield* chainWith({ maxFeePerGas: 7n })
        const bounded = yield* poor.sign(yield* poor.prepare(job), 5)
        expect(bounded).toMatchObject({ maxFeePerGas: 7n, maxPriorityFeePerGas: 7n })
      })
    )

    it.effect("refuses a key that signs for another address, or fails", () =>
      Effect.gen(function* () {
        const { chain, config, key, sendJob, usdc } = yield* EvmFixture
        const draft = yield* chain.prepare(sendJob("deliver", usdc, freshAddress(), 1n))
        const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
        const strange = [
          { ...key, signDigest: () => key.signDigest(`0x${"11".repeat(32)}`) },
          { ...key, signDigest: () => Effect.succeed({ r: "0x00", s: "0x00", yParity: 0 } as const) },
          {
            ...key,
            signDigest: (digest: `0x${string}`) =>
              Effect.map(key.signDigest(digest), ({ r, s, yParity }) => ({
                r,
                s: `0x${(order - BigInt(s)).toString(16).padStart(64, "0")}` as const,
                yParity: yParity === 0 ? (1 as const) : (0 as const)
              }))
          }
        ]
        for (const other of strange) {
          const error = yield* Effect.flip(
            (yield* EvmChain.make({ config, keys: [other] })).sign({ ...draft, relayer: other.address }, 0)
          )
          expect(error).toMatchObject({ _tag: "ChainUnavailable", timeout: false })
        }
      })
    )

    const refusal = (job: Job) =>
      Effect.gen(function* () {
        const { chain } = yield* EvmFixture
        const error = yield* Effect.flip(chain.prepare(job))
        return error._tag === "Impossible" ? error.code : error.message
      })

    it.effect("explains why a collect is impossible", () =>
      Effect.gen(function* () {
        const { collectJob, deployPausable, mint, newWallet, node, pause, send, setTokenPaused, unpause, usdc } =
          yield* EvmFixture
        const wallet = yield* newWallet(1_000n)
        expect(yield* refusal(yield* collectJob(wallet, 1n))).toBe("INVALID_AUTHORIZATION")
        expect(yield* refusal(yield* collectJob(wallet, 1n, { authorizeAt: 1 }))).toBe("INVALID_AUTHORIZATION")
        const foreign = yield* collectJob(wallet, 1n, { authorizeAt: 0, delegate: usdc })
        expect(yield* refusal(foreign)).toBe("INVALID_AUTHORIZATION")
        expect(yield* refusal(yield* collectJob(wallet, 1n, { authorizeAt: 0, deadline: 1 }))).toBe("OPERATION_EXPIRED")
        expect(yield* refusal(yield* collectJob(wallet, 1_001n, { authorizeAt: 0 }))).toBe("INSUFFICIENT_BALANCE")
        const forged = yield* collectJob(yield* newWallet(0n), 1n, { authorizeAt: 0 })
        expect(yield* refusal({ ...forged, wallet: wallet.address })).toBe("INVALID_AUTHORIZATION")
        const job = yield* collectJob(wallet, 1n, { authorizeAt: 0 })
        expect(yield* refusal({ ...job, amount: 2n })).toBe("REVERTED")
        expect(
          yield* refusal({ ...job, operation: { ...job.operation, signature: "0x12" } as typeof job.operation })
        ).toBe("REVERTED")
        yield* pause
        expect(yield* refusal(job)).toBe("VAULT_PAUSED")
        yield* unpause
        yield* send(job)
        yield* node.mine()
        expect(yield* refusal(job)).toBe("ALREADY_DONE")

        const token = yield* deployPausable
        yield* mint(token, wallet.address, 10n)
        yield* setTokenPaused(token, true)
        expect(yield* refusal(yield* collectJob(wallet, 10n, { token, nonce: 1n }))).toBe("REVERTED")
        // The token reports only that it is paused, but the balance is too low as well.
        expect(yield* refusal(yield* collectJob(wallet, 11n, { token, nonce: 1n }))).toBe("INSUFFICIENT_BALANCE")
      })
    )

    it.effect("explains why a delivery or a refund is impossible", () =>
      Effect.gen(function* () {
        const {
          chain,
          collectInput,
          deployPausable,
          mint,
          node,
          pause,
          send,
          sendJob,
          setCap,
          setRefundCap,
          setTokenPaused,
          unpause,
          usdc,
          vault,
          withdraw
        } = yield* EvmFixture
        const to = freshAddress()
        const token = yield* deployPausable
        yield* mint(token, vault, 10n)
        expect(yield* refusal(sendJob("deliver", token, to, 1n))).toBe("CAP_EXCEEDED")
        yield* setCap(token, 1_000n)
        const uncollected = yield* Effect.flip(chain.prepare(sendJob("refund", token, to, 1n)))
        expect(uncollected).toMatchObject({
          code: "CAP_EXCEEDED",
          message: expect.stringContaining("owner can issue the refund") as string
        })
        yield* collectInput(token, 20n)
        yield* withdraw(token, 20n)
        yield* setRefundCap(token, 9n)
        expect(yield* refusal(sendJob("refund", token, to, 10n))).toBe("CAP_EXCEEDED")
        yield* setRefundCap(token, 1_000n)
        expect(yield* refusal(sendJob("deliver", token, to, 11n))).toBe("INSUFFICIENT_INVENTORY")
        expect(yield* refusal(sendJob("refund", token, to, 11n))).toBe("INSUFFICIENT_INVENTORY")
        yield* setTokenPaused(token, true)
        expect(yield* refusal(sendJob("refund", token, to, 10n))).toBe("REVERTED")
        yield* setTokenPaused(token, false)
        yield* withdraw(token, 10n)
        expect(yield* refusal(sendJob("deliver", token, to, 10n))).toBe("INSUFFICIENT_INVENTORY")
        const all = yield* chain.balanceOf(native, vault)
        expect(yield* refusal(sendJob("deliver", native, to, all + 1n))).toBe("INSUFFICIENT_INVENTORY")
        expect(yield* refusal(sendJob("deliver", native, usdc, 1n))).toBe("REVERTED")
        expect(yield* refusal(sendJob("deliver", usdc, native, 1n))).toBe("REVERTED")
        const job = sendJob("deliver", usdc, to, 1n)
        yield* pause
        expect(yield* refusal(job)).toBe("VAULT_PAUSED")
        yield* unpause
        yield* send(job)
        yield* node.mine()
        expect(yield* refusal(job)).toBe("ALREADY_DONE")
        expect(yield* refusal({ ...job, kind: "refund" })).toBe("ALREADY_DONE")
      })
    )
  })
})
