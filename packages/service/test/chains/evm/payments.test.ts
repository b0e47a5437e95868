/** Payments without a delegation on one chain: how they are verified, simulated and recognized as used. */
import { describe, layer } from "@effect/vitest"
import { Permit2 } from "@geoswap/contracts"
import { TestToken } from "@geoswap/contracts/testing"
import type { Payment } from "@geoswap/core"
import { hashPayment, hashPermit } from "@geoswap/core/adapters"
import * as Effect from "effect/Effect"
import { type Address, encodeFunctionData, keccak256, type PrivateKeyAccount } from "viem"
import { expect } from "vitest"
import type { PaymentMethod } from "../../../src/chains/Wallet.js"
import type { CollectJob } from "../../../src/domain/Job.js"
import { EvmFixture, fresh32, freshAddress, layer as fixtureLayer } from "./fixture.js"

const amount = 1_000n
const domain = { name: "USD Coin", version: "1" }
const methods: ReadonlyArray<PaymentMethod> = ["eip3009", "permit2", "erc2612"]

/** The job that collects a signed payment. */
const paymentJob = Effect.fnUntraced(function* (
  wallet: PrivateKeyAccount,
  method: PaymentMethod,
  over: { readonly deadline?: number; readonly index?: bigint } = {}
) {
  const { node, usdc, vault } = yield* EvmFixture
  const { deadline = Math.floor(Date.now() / 1000) + 3_600, index = 0n } = over
  const payment = {
    method,
    chainId: node.id,
    wallet: wallet.address.toLowerCase() as Address,
    token: usdc.toLowerCase() as Address,
    amount,
    vault: vault.toLowerCase() as Address,
    orderId: fresh32(),
    terms: fresh32(),
    deadline,
    domain,
    nonce: Permit2.firstNonce + index,
    permitNonce: 0n
  }
  const sign = (hash: `0x${string}`) => Effect.promise(() => wallet.sign({ hash }))
  return {
    kind: "collect",
    orderId: payment.orderId,
    wallet: payment.wallet,
    token: payment.token,
    amount,
    terms: payment.terms,
    operation: {
      _tag: "evm",
      delegate: "0x0000000000000000000000000000000000000000",
      nonce: method === "eip3009" ? `eip3009:${payment.orderId}` : `permit2:${index}`,
      deadline,
      signature: yield* sign(hashPayment(payment, keccak256)),
      vault: payment.vault,
      method,
      ...(method === "erc2612" && {
        permitSignature: yield* sign(hashPermit(payment as Payment.Erc2612, keccak256))
      })
    }
  } satisfies CollectJob
})

/** A wallet that can pay with the method. */
const payer = Effect.fnUntraced(function* (method: PaymentMethod) {
  const { client, newWallet, node, usdc } = yield* EvmFixture
  const wallet = yield* newWallet(10n * amount)
  if (method !== "permit2") return wallet
  const args = [Permit2.address, 10n * amount] as const
  const data = encodeFunctionData({ abi: TestToken.abi, functionName: "approve", args })
  yield* Effect.promise(async () => {
    await client.setBalance({ address: wallet.address, value: 10n ** 18n })
    await client.impersonateAccount({ address: wallet.address })
    await client.sendTransaction({ account: wallet.address, chain: null, to: usdc, data, gas: 100_000n })
  })
  yield* node.mine()
  return wallet
})

describe("payments on an EVM chain", () => {
  layer(fixtureLayer, { timeout: 240_000 })((it) => {
    for (const method of methods) {
      it.effect(`with ${method} are collected once, and then recognized as used`, () =>
        Effect.gen(function* () {
          const { chain, node, send } = yield* EvmFixture
          const wallet = yield* payer(method)
          const job = yield* paymentJob(wallet, method)
          const draft = yield* chain.prepare(job)
          const query = { kind: "collect", token: job.token, opensAccount: false, gas: draft.gas ?? 0n } as const
          expect((yield* chain.sign(draft, 0)).maxCost).toBe(yield* chain.mostCostOf(query))
          const attempt = yield* send(job)
          // The transaction is pending: a second one must not be sent, and the payment must not be called impossible.
          expect(yield* Effect.flip(chain.prepare(job))).toMatchObject({ code: "ALREADY_DONE" })
          yield* node.mine(4)
          expect(yield* chain.observe(job, [attempt])).toMatchObject({ _tag: "Done", hash: attempt.hash })
          expect(yield* Effect.flip(chain.prepare(job))).toMatchObject({ code: "ALREADY_DONE" })
          expect(yield* chain.collection(job)).toMatchObject({ _tag: "Collected", hash: attempt.hash })
          // Even without its tokens, a wallet whose payment was collected has not refused it.
          expect(yield* chain.balanceOf(job.token, job.wallet)).toBe(9n * amount)
        })
      )

      it.effect(`with ${method} are impossible after their deadline, or with the wrong signature`, () =>
        Effect.gen(function* () {
          const { chain, newWallet } = yield* EvmFixture
          const wallet = yield* payer(method)
          const late = yield* paymentJob(wallet, method, { deadline: 1 })
          expect(yield* Effect.flip(chain.prepare(late))).toMatchObject({ code: "OPERATION_EXPIRED" })
          const job = yield* paymentJob(wallet, method)
          const other = yield* paymentJob(yield* newWallet(0n), method)
          const { signature } = other.operation
          const forged = { ...job, operation: { ...job.operation, signature } }
          expect(yield* Effect.flip(chain.prepare(forged))).toMatchObject({ code: "REVERTED" })
          expect(yield* Effect.flip(chain.prepare({ ...job, terms: fresh32() }))).toMatchObject({ code: "REVERTED" })
          const poor = yield* paymentJob(yield* newWallet(0n), "eip3009")
          expect(yield* Effect.flip(chain.prepare(poor))).toMatchObject({ code: "INSUFFICIENT_BALANCE" })
        })
      )
    }

    it.effect("never share a transaction, unlike collections from delegated wallets", () =>
      Effect.gen(function* () {
        const { chain, collectJob, newWallet, node, send } = yield* EvmFixture
        const delegated = yield* newWallet(2n * amount)
        yield* send(yield* collectJob(delegated, amount, { authorizeAt: 0 }))
        yield* node.mine()
        const { shares } = yield* chain.prepare(yield* collectJob(delegated, amount, { nonce: 1n }))
        expect(shares).toMatch(/^collect 0x/)
        for (const method of methods) {
          const draft = yield* chain.prepare(yield* paymentJob(yield* payer(method), method))
          expect([method, draft.shares]).toEqual([method, undefined])
        }
      })
    )

    it.effect("are verified at startup", () =>
      Effect.gen(function* () {
        const { chainWith, config, usdc, vault, weth } = yield* EvmFixture
        const { payments } = config
        const token = { symbol: "USDC", address: usdc, decimals: 6 }
        const right = yield* chainWith({
          payments: { ...payments, permit2: true },
          tokens: [{ ...token, payments: { methods: ["eip3009", "permit2", "erc2612"], ...domain } }]
        })
        yield* right.verify
        const [target, codeHash] = [freshAddress(), fresh32()]
        const wrong = yield* chainWith({
          vaults: [{ address: vault, delegate: target }],
          payments: { ...payments, permit2: true, targets: [{ address: target, codeHash }] },
          tokens: [
            { ...token, payments: { methods: ["eip3009"], name: "USD Coin", version: "2" } },
            { symbol: "WETH", address: weth, decimals: 18, payments: { methods: ["eip3009"], ...domain } }
          ]
        })
        const { message } = yield* Effect.flip(wrong.verify)
        const where = "Chain 31337 (devnet-a):"
        expect(message).toContain(
          `${where} the vault ${vault.toLowerCase()} does not accept wallets delegated to ${target}.`
        )
        expect(message).toContain(`${where} expected the code of the payment target ${target}`)
        expect(message).toContain(`${where} the EIP-712 domain of USDC differs`)
        expect(message).toContain(`${where} the EIP-712 domain of WETH differs`)
        expect(message).toContain(`${where} WETH does not support eip3009.`)
        expect(message.split("\n")).toHaveLength(5)
      })
    )
  })
})
