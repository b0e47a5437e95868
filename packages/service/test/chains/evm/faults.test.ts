import { describe, layer } from "@effect/vitest"
import { Proxy } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { type Hash, parseTransaction, toFunctionSelector } from "viem"
import { expect } from "vitest"
import type { EvmChain } from "../../../src/chains/Chains.js"
import type { Attempt } from "../../../src/domain/SwapRecord.js"
import { EvmFixture, fresh32, freshAddress, layer as fixtureLayer, native } from "./fixture.js"

const waiting = { _tag: "Waiting" }
const parsed = ({ raw }: Attempt) => parseTransaction(raw as `0x04${string}`)
/** At least 12.5% more, as every node requires. */
const isRaised = (before: bigint | undefined, after: bigint | undefined) =>
  (after ?? 0n) * 1000n >= (before ?? 0n) * 1125n && (after ?? 0n) > (before ?? 0n)

describe("an EVM chain with faults", () => {
  layer(fixtureLayer, { timeout: 240_000 })((it) => {
    it.effect("forgets a transaction that a reorg removed, and finds it when it is sent again", () =>
      Effect.gen(function* () {
        const { chain, node, send, sendJob, usdc } = yield* EvmFixture
        const to = freshAddress()
        const job = sendJob("deliver", usdc, to, 5n)
        const attempt = yield* send(job)
        yield* node.mine(2)
        expect(yield* chain.observe(job, [attempt])).toMatchObject({ _tag: "Included", succeeded: true })
        yield* node.reorg(2)
        yield* node.mine(5)
        expect(yield* chain.balanceOf(usdc, to)).toBe(0n)
        expect(yield* chain.observe(job, [attempt])).toEqual(waiting)
        yield* chain.broadcast(attempt)
        yield* node.mine(3)
        expect(yield* chain.observe(job, [attempt])).toMatchObject({ _tag: "Done", hash: attempt.hash })
        expect(yield* chain.balanceOf(usdc, to)).toBe(5n)
      })
    )

    it.effect("offers an eighth more for a stuck transaction, with the same nonce and authorization", () =>
      Effect.gen(function* () {
        const { chain, collectJob, newWallet, node, send, usdc } = yield* EvmFixture
        const wallet = yield* newWallet(10n)
        const job = yield* collectJob(wallet, 10n, { authorizeAt: 0 })
        const first = yield* send(job)
        yield* TestClock.adjust("29 seconds")
        expect(yield* chain.replace(job, [first], false)).toBeUndefined()
        yield* TestClock.adjust("1 second")
        const second = yield* chain.replace(job, [first], false)
        if (second === undefined) return yield* Effect.die("There is no replacement.")
        const { authorizationList, data, gas, nonce, to, type } = parsed(first)
        expect(authorizationList).toHaveLength(1)
        expect(parsed(second)).toMatchObject({ authorizationList, data, gas, nonce, to, type })
        expect(parsed(second)).toMatchObject({
          maxFeePerGas: second.maxFeePerGas,
          maxPriorityFeePerGas: second.maxPriorityFeePerGas
        })
        expect(isRaised(first.maxFeePerGas, second.maxFeePerGas)).toBe(true)
        expect(isRaised(first.maxPriorityFeePerGas, second.maxPriorityFeePerGas)).toBe(true)
        expect(second).toMatchObject({
          nonce: first.nonce,
          cancels: false,
          createdAt: first.createdAt + 30_000
        })
        expect(yield* chain.replace(job, [first, second], false)).toBeUndefined()

        yield* chain.broadcast(second)
        expect(yield* chain.observe(job, [first, second])).toEqual(waiting)
        yield* node.mine()
        yield* TestClock.adjust("1 minute")
        expect(yield* chain.replace(job, [first, second], false)).toBeUndefined()
        expect(yield* chain.replace(job, [first, second], true)).toBeUndefined()
        yield* node.mine(2)
        expect(yield* chain.observe(job, [first, second])).toMatchObject({ _tag: "Done", hash: second.hash })
        expect(yield* chain.balanceOf(usdc, wallet.address)).toBe(0n)
        // The first is of no use now, and the node says so.
        yield* chain.broadcast(first)
      })
    )

    it.effect("follows a market that rose further, and stops at the limit", () =>
      Effect.gen(function* () {
        const { chainWith, nextBaseFee, node, proxied, send, sendJob, usdc } = yield* EvmFixture
        const { chain, proxy } = yield* proxied()
        const within = (maxFeePerGas: bigint) => chainWith({ maxFeePerGas, rpcUrls: [proxy.rpcUrl] })
        const job = sendJob("deliver", usdc, freshAddress(), 1n)
        const first = yield* send(job)
        // Some nodes forget at once what offers too little; others keep it.
        yield* proxy.set(
          "eth_getTransactionByHash",
          Proxy.change(() => ({ hash: first.hash }))
        )
        yield* TestClock.adjust("1 minute")
        yield* node.setBaseFee(40_000_000_000n)
        yield* node.mine()
        const baseFee = yield* nextBaseFee
        expect(baseFee).toBe(35_000_000_000n)
        const risen = yield* chain.replace(job, [first], false)
        expect(risen?.maxFeePerGas).toBeGreaterThanOrEqual(2n * baseFee)
        const least = ((first.maxFeePerGas ?? 0n) * 1125n) / 1000n
        const tight = yield* within(least - 1n)
        expect(yield* tight.replace(job, [first], false)).toBeUndefined()
        const bounded = yield* within(least + 2n)
        expect((yield* bounded.replace(job, [first], false))?.maxFeePerGas).toBe(least + 2n)
        yield* node.drop(first.hash as Hash)
        yield* node.setBaseFee(1_000_000_000n)
        yield* node.mine()
      }).pipe(Effect.scoped)
    )

    it.effect("only uses up the nonce if a job is cancelled", () =>
      Effect.gen(function* () {
        const { chain, node, send, sendJob, usdc } = yield* EvmFixture
        const to = freshAddress()
        const job = sendJob("deliver", usdc, to, 1n)
        const first = yield* send(job)
        const cancel = yield* chain.replace(job, [first], true)
        if (cancel === undefined) return yield* Effect.die("There is no cancellation.")
        expect(cancel).toMatchObject({ cancels: true, nonce: first.nonce })
        const { data, gas, to: target, value } = parsed(cancel)
        expect({ data, gas, target, value }).toEqual({
          data: undefined,
          gas: 21_000n,
          target: chain.relayer.toLowerCase(),
          value: undefined
        })
        expect(isRaised(first.maxFeePerGas, cancel.maxFeePerGas)).toBe(true)
        expect(isRaised(first.maxPriorityFeePerGas, cancel.maxPriorityFeePerGas)).toBe(true)
        expect(yield* chain.replace(job, [first, cancel], true)).toBeUndefined()
        yield* TestClock.adjust("1 minute")
        const dearer = yield* chain.replace(job, [first, cancel], true)
        expect(dearer).toMatchObject({ cancels: true, nonce: first.nonce })
        expect(isRaised(cancel.maxFeePerGas, dearer?.maxFeePerGas)).toBe(true)

        yield* chain.broadcast(cancel)
        yield* node.mine()
        expect(yield* chain.observe(job, [first, cancel])).toMatchObject({
          _tag: "Included",
          hash: cancel.hash,
          succeeded: false
        })
        yield* node.mine(2)
        expect(yield* chain.observe(job, [first, cancel])).toMatchObject({ _tag: "Dead", why: "replaced" })
        expect(yield* chain.balanceOf(usdc, to)).toBe(0n)
      })
    )

    it.effect("reports a transaction as dead once another one has finally used its nonce", () =>
      Effect.gen(function* () {
        const { chain, nextNonce, node, send, sendJob, usdc } = yield* EvmFixture
        const job = sendJob("deliver", usdc, freshAddress(), 1n)
        const nonce = yield* nextNonce
        const attempt = yield* chain.sign(yield* chain.prepare(job), nonce)
        yield* send(sendJob("deliver", usdc, freshAddress(), 2n))
        yield* node.mine(2)
        expect(yield* chain.observe(job, [attempt])).toEqual(waiting)
        yield* node.mine()
        expect(yield* chain.observe(job, [attempt])).toMatchObject({ _tag: "Dead", why: "replaced" })
        // With another nonce it waits again, until that one is used for good as well.
        const later = yield* chain.sign(yield* chain.prepare(job), nonce + 1)
        expect(yield* chain.observe(job, [attempt, later])).toEqual(waiting)
        yield* chain.broadcast(later)
        yield* node.mine(3)
        expect(yield* chain.observe(job, [attempt, later])).toMatchObject({ _tag: "Done", hash: later.hash })
      })
    )

    it.effect("keeps a job pending after a final failure while another attempt can still succeed", () =>
      Effect.gen(function* () {
        const { chain, nextNonce, node, pause, sendJob, unpause, usdc } = yield* EvmFixture
        const job = sendJob("deliver", usdc, freshAddress(), 1n)
        const draft = yield* chain.prepare(job)
        const nonce = yield* nextNonce
        const [first, second] = [yield* chain.sign(draft, nonce), yield* chain.sign(draft, nonce + 1)]
        yield* pause
        yield* chain.broadcast(first)
        yield* node.mine()
        expect(yield* chain.observe(job, [first])).toMatchObject({
          _tag: "Included",
          hash: first.hash,
          succeeded: false
        })
        yield* node.mine(2)
        expect(yield* chain.observe(job, [first])).toMatchObject({ _tag: "Dead", why: "reverted", hash: first.hash })
        expect(yield* chain.observe(job, [first, second])).toEqual(waiting)
        yield* unpause
        yield* chain.broadcast(second)
        yield* node.mine()
        expect(yield* chain.observe(job, [first, second])).toMatchObject({ _tag: "Included", hash: second.hash })
        yield* node.mine(2)
        expect(yield* chain.observe(job, [first, second])).toMatchObject({ _tag: "Done", hash: second.hash })
      })
    )

    it.effect("finds the event of an unknown transaction", () =>
      Effect.gen(function* () {
        const { chain, nextNonce, node, send, sendJob, usdc } = yield* EvmFixture
        const job = sendJob("deliver", usdc, freshAddress(), 1n)
        const nonce = yield* nextNonce
        const forgotten = yield* chain.sign(yield* chain.prepare({ ...job, orderId: fresh32() }), nonce)
        const other = yield* send(job)
        yield* node.mine(3)
        expect(yield* chain.observe(job, [forgotten])).toMatchObject({ _tag: "Done", hash: other.hash })
      })
    )

    it.effect("waits until the event of an unknown transaction is final, although the nonce is used for good", () =>
      Effect.gen(function* () {
        const { chain, nextNonce, node, send, sendJob, usdc } = yield* EvmFixture
        const job = sendJob("deliver", usdc, freshAddress(), 1n)
        const forgotten = yield* chain.sign(yield* chain.prepare({ ...job, orderId: fresh32() }), yield* nextNonce)
        yield* send(sendJob("deliver", usdc, freshAddress(), 2n))
        yield* node.mine(3)
        const other = yield* send(job)
        yield* node.mine()
        const included = { _tag: "Included", succeeded: true, hash: other.hash }
        expect(yield* chain.observe(job, [forgotten])).toMatchObject(included)
        yield* node.mine(2)
        expect(yield* chain.observe(job, [forgotten])).toMatchObject({ _tag: "Done", hash: other.hash })
      })
    )

    it.effect("accepts no receipt without our vault's event, whatever its status", () =>
      Effect.gen(function* () {
        const { node, proxied, send, sendJob, usdc } = yield* EvmFixture
        const { chain, proxy } = yield* proxied()
        const method = "eth_getTransactionReceipt"
        const job = sendJob("deliver", usdc, freshAddress(), 1n)
        const attempt = yield* send(job)
        yield* node.mine(3)
        const tellLogs = (by: (logs: ReadonlyArray<unknown>) => ReadonlyArray<unknown>) =>
          proxy.set(method, Proxy.receiptLogs(by))
        const everywhere = (address: string) => (logs: ReadonlyArray<unknown>) =>
          logs.map((log) => ({ ...(log as object), address }))
        for (const forged of [() => [], everywhere(freshAddress()), everywhere(usdc)]) {
          yield* tellLogs(forged)
          // The node's logs say otherwise: nothing is known.
          expect(yield* Effect.flip(chain.observe(job, [attempt]))).toMatchObject({ _tag: "ChainUnavailable" })
          yield* proxy.set(
            "eth_getLogs",
            Proxy.change(() => [])
          )
          expect(yield* chain.observe(job, [attempt])).toMatchObject({ _tag: "Dead", why: "reverted" })
          yield* proxy.clear("eth_getLogs")
        }
        yield* proxy.set(method, Proxy.receiptStatus(false))
        expect(yield* chain.observe(job, [attempt])).toMatchObject({ _tag: "Done", hash: attempt.hash })

        const dead = sendJob("deliver", usdc, freshAddress(), 2n)
        yield* proxy.set(method, Proxy.receiptStatus(true))
        expect(yield* chain.observe(dead, [attempt])).toMatchObject({ _tag: "Dead", why: "reverted" })
      }).pipe(Effect.scoped)
    )

    it.effect("accepts no receipt of a block that was undone", () =>
      Effect.gen(function* () {
        const { node, proxied, send, sendJob, usdc } = yield* EvmFixture
        const { chain, proxy } = yield* proxied()
        const job = sendJob("deliver", usdc, freshAddress(), 1n)
        const attempt = yield* send(job)
        yield* node.mine(3)
        const change = (by: object) =>
          proxy.set(
            "eth_getTransactionReceipt",
            Proxy.change((receipt) => ({ ...(receipt as object), ...by }))
          )
        yield* change({ blockHash: fresh32() })
        expect(yield* Effect.flip(chain.observe(job, [attempt]))).toMatchObject({ _tag: "ChainUnavailable" })
        yield* change({ transactionHash: fresh32() })
        expect(yield* Effect.flip(chain.observe(job, [attempt]))).toMatchObject({ _tag: "ChainUnavailable" })
        yield* proxy.clear()
        expect(yield* chain.observe(job, [attempt])).toMatchObject({ _tag: "Done", hash: attempt.hash })
        // The receipt that comes late, after the nonce was seen to be used.
        yield* proxy.set("eth_getTransactionReceipt", Proxy.receiptMissing, 1)
        expect(yield* chain.observe(job, [attempt])).toMatchObject({ _tag: "Done", hash: attempt.hash })
        yield* proxy.set("eth_getTransactionReceipt", Proxy.receiptMissing)
        expect(yield* chain.observe(job, [attempt])).toMatchObject({ _tag: "Done", hash: attempt.hash })
      }).pipe(Effect.scoped)
    )

    it.effect("distinguishes a failing node from a failing transaction", () =>
      Effect.gen(function* () {
        const { chainWith, node, proxied, send, sendJob, usdc } = yield* EvmFixture
        const { chain, proxy } = yield* proxied()
        const hasty = yield* chainWith({ rpcUrls: [proxy.rpcUrl], timeoutMillis: 300 })
        const job = sendJob("deliver", usdc, freshAddress(), 1n)
        const attempt = yield* send(job)
        yield* node.mine(3)
        const next = sendJob("deliver", usdc, freshAddress(), 1n)
        const failing = { _tag: "ChainUnavailable", chainId: 31337 }
        const everything = Effect.fnUntraced(function* (chain: EvmChain) {
          const asked: ReadonlyArray<Effect.Effect<unknown, { readonly _tag: string }>> = [
            chain.prepare(next),
            chain.observe(job, [attempt]),
            chain.balanceOf(usdc, chain.vault),
            chain.walletState(chain.relayer),
            chain.verify,
            chain.externalSettlement(job),
            chain.finalTime,
            chain.costOf({ kind: "deliver", token: native, party: chain.relayer, opensAccount: false })
          ]
          const errors = yield* Effect.forEach(asked, (each) => Effect.flip(each), { concurrency: "unbounded" })
          for (const error of errors) expect(error).toMatchObject(failing)
          return errors
        })
        const tricks = [
          Proxy.httpStatus(500),
          Proxy.httpStatus(403),
          Proxy.rpcError(-32603, "Internal error: execution reverted", "0x"),
          Proxy.rpcError(-32000, "header not found"),
          Proxy.hangUp,
          Proxy.truncate(30),
          Proxy.change(() => undefined),
          Proxy.change(() => ({})),
          Proxy.change(() => "")
        ]
        for (const trick of tricks) {
          yield* proxy.set("*", trick)
          for (const error of yield* everything(chain)) expect(error).toMatchObject({ timeout: false })
        }
        for (const trick of [Proxy.rateLimit(1), Proxy.rpcError(-32005, "limit exceeded")]) {
          yield* proxy.set("*", trick)
          for (const error of yield* everything(hasty)) expect(error).toMatchObject({ timeout: false })
          yield* TestClock.adjust("1 minute")
        }
        for (const trick of [Proxy.delay(60_000), Proxy.loseAnswer]) {
          yield* proxy.set("*", trick)
          for (const error of yield* everything(hasty)) expect(error).toMatchObject({ timeout: true })
        }
        yield* proxy.clear()
        yield* proxy.down
        yield* everything(chain)
        yield* proxy.up
        yield* proxy.set("eth_estimateGas", Proxy.rpcError(-32000, "execution reverted"))
        expect(yield* Effect.flip(chain.prepare(next))).toMatchObject({ _tag: "Impossible", code: "REVERTED" })
        // If the estimate does not say why it reverts, the call does.
        const paused = toFunctionSelector("IsPaused()")
        yield* proxy.set("eth_call", Proxy.rpcError(3, "execution reverted", paused))
        expect(yield* Effect.flip(chain.prepare(next))).toMatchObject({ _tag: "Impossible", code: "VAULT_PAUSED" })
        yield* proxy.set("eth_estimateGas", Proxy.rpcError(-32603, "execution reverted", "0x"))
        expect(yield* Effect.flip(chain.prepare(next))).toMatchObject(failing)
        yield* proxy.clear()
        yield* chain.prepare(next)
      }).pipe(Effect.scoped)
    )

    it.effect("tolerates a lost or repeated answer to a broadcast", () =>
      Effect.gen(function* () {
        const { chain, client, nextNonce, node, proxied, sendJob, usdc } = yield* EvmFixture
        const { chain: hasty, proxy } = yield* proxied({ timeoutMillis: 300 })
        const job = sendJob("deliver", usdc, freshAddress(), 1n)
        const attempt = yield* chain.sign(yield* chain.prepare(job), yield* nextNonce)
        yield* proxy.set("eth_sendRawTransaction", Proxy.loseAnswer, 1)
        expect(yield* Effect.flip(hasty.broadcast(attempt))).toMatchObject({ _tag: "ChainUnavailable", timeout: true })
        const arrived = () => client.getTransaction({ hash: attempt.hash as Hash }).then(Boolean, () => false)
        while (!(yield* Effect.promise(arrived))) yield* Effect.yieldNow
        yield* chain.broadcast(attempt)
        yield* node.mine(3)
        expect(yield* chain.observe(job, [attempt])).toMatchObject({ _tag: "Done", hash: attempt.hash })
        yield* chain.broadcast(attempt)
        const spoilt = { ...attempt, raw: attempt.raw.slice(0, -2) }
        expect((yield* Effect.flip(chain.broadcast(spoilt))).message).not.toContain(attempt.raw.slice(20, 80))
      }).pipe(Effect.scoped)
    )

    it.effect("sends transactions only to the relays, if there are any, and reads nothing from them", () =>
      Effect.gen(function* () {
        const { chainWith, nextNonce, node, sendJob, usdc } = yield* EvmFixture
        const make = Proxy.make({ target: node.rpcUrl })
        const [one, two, reader] = [yield* make, yield* make, yield* make]
        const relay = `${two.rpcUrl.replace("//", "//user:hunter2@")}/secret`
        const chain = yield* chainWith({ rpcUrls: [reader.rpcUrl], sendUrls: [one.rpcUrl, relay] })
        const job = sendJob("deliver", usdc, freshAddress(), 1n)
        const attempt = yield* chain.sign(yield* chain.prepare(job), yield* nextNonce)
        // One relay is enough.
        yield* one.down
        yield* chain.broadcast(attempt)
        yield* node.mine(3)
        expect(yield* chain.observe(job, [attempt])).toMatchObject({ _tag: "Done", hash: attempt.hash })
        expect(yield* two.callsByMethod).toEqual({ eth_sendRawTransaction: 1 })
        expect(yield* reader.calls("eth_sendRawTransaction")).toBe(0)
        yield* two.set("*", Proxy.httpStatus(503))
        const { message } = yield* Effect.flip(chain.broadcast(attempt))
        expect(message).toContain(`127.0.0.1:${two.port} responded to eth_sendRawTransaction with HTTP 503`)
        expect(message).not.toMatch(/hunter2|secret/)
      }).pipe(Effect.scoped)
    )

    it.effect("does not consider a transaction lost that a relay holds back", () =>
      Effect.gen(function* () {
        const { chainWith, nextNonce, node, sendJob, usdc } = yield* EvmFixture
        const relay = yield* Proxy.make({ target: node.rpcUrl })
        const slow = { rpcUrls: [node.rpcUrl] as const, stuckAfterMillis: 60_000 }
        const chain = yield* chainWith({ ...slow, sendUrls: [relay.rpcUrl] })
        const job = sendJob("deliver", usdc, freshAddress(), 1n)
        // It was sent, but the nodes do not have it.
        const attempt = yield* chain.sign(yield* chain.prepare(job), yield* nextNonce)
        yield* TestClock.adjust("10 seconds")
        expect(yield* chain.replace(job, [attempt], false)).toBeUndefined()
        // Without the relay, the nodes would have it.
        const plain = yield* chainWith(slow)
        expect(yield* plain.replace(job, [attempt], false)).toMatchObject({ cancels: true })
        yield* TestClock.adjust("1 minute")
        expect(yield* chain.replace(job, [attempt], false)).toMatchObject({ cancels: false, nonce: attempt.nonce })
      }).pipe(Effect.scoped)
    )

    it.effect("fails over to the next node, stays there for a while, and names only hosts", () =>
      Effect.gen(function* () {
        const { chainWith, node, usdc, vault } = yield* EvmFixture
        const [one, two] = [yield* Proxy.make({ target: node.rpcUrl }), yield* Proxy.make({ target: node.rpcUrl })]
        const secret = (url: string) => `${url.replace("//", "//user:hunter2@")}/v3/0123456789abcdef0123456789abcdef`
        const chain = yield* chainWith({ rpcUrls: [secret(one.rpcUrl), secret(two.rpcUrl)] })
        yield* one.set("*", Proxy.httpStatus(503))
        expect(yield* chain.balanceOf(native, vault)).toBeGreaterThan(0n)
        expect(yield* chain.balanceOf(usdc, vault)).toBeGreaterThan(0n)
        expect([yield* one.calls(), yield* two.calls()]).toEqual([1, 2])
        yield* one.clear()
        yield* TestClock.adjust("1 minute")
        yield* chain.balanceOf(native, vault)
        expect([yield* one.calls(), yield* two.calls()]).toEqual([2, 2])
        yield* two.set("*", Proxy.rpcError(-32000, `bad key 0123456789abcdef0123456789abcdef at ${secret(two.rpcUrl)}`))
        yield* one.down
        const { message, timeout } = yield* Effect.flip(chain.balanceOf(native, vault))
        expect(message).toBe(
          `127.0.0.1:${one.port} could not be reached for eth_getBalance: connection refused (ECONNREFUSED). ` +
            `127.0.0.1:${two.port} rejected eth_getBalance: bad key … at … (-32000).`
        )
        expect(timeout).toBe(false)
      }).pipe(Effect.scoped)
    )
  })
})
