import { layer } from "@effect/vitest"
import { getTransferSolInstruction } from "@solana-program/system"
import {
  type Address,
  generateKeyPairSigner,
  getBase64Decoder,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  isSolanaError,
  type KeyPairSigner,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION
} from "@solana/kit"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect } from "vitest"
import * as SolanaNode from "../src/SolanaNode.js"
import { genesis } from "./surfpool/genesis.js"
import { type Clients, clients, lifetime, relayer, signed, version1 } from "./svm.js"

class Svm extends Context.Service<Svm, SolanaNode.SolanaNode>()("test/Svm") {}

const svm = Layer.effect(
  Svm,
  SolanaNode.make({ port: 0, wsPort: 0, confirmationSlots: 0, finalitySlots: 32, slotTime: 20, genesis })
)

const confirmed = { commitment: "confirmed" } as const

/** Runs a promise-based test with the clients of the SVM. */
const on = (test: (clients: Clients, control: SolanaNode.Controls) => Promise<void>) => () =>
  Effect.gen(function* () {
    const chain = yield* Svm
    yield* Effect.promise(() => test(clients(chain.rpcUrl, chain.wsUrl), chain))
  })

const transfer = (source: KeyPairSigner, destination: Address, amount: bigint) =>
  getTransferSolInstruction({ source, destination, amount })

const send = async ({ rpc }: Clients, transaction: Parameters<typeof getBase64EncodedWireTransaction>[0]) => {
  const wire = getBase64EncodedWireTransaction(transaction)
  await rpc.sendTransaction(wire, { encoding: "base64", preflightCommitment: "processed" }).send()
  return getSignatureFromTransaction(transaction)
}

/** The version in the error that a node answers if the client does not support a transaction's version. */
const refusedVersion = async (answer: Promise<unknown>): Promise<string | undefined> => {
  try {
    await answer
  } catch (error) {
    if (isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION)) {
      return error.context.__serverMessage
    }
    throw error
  }
  return undefined
}

const refusalOf = (version: number) =>
  `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the ` +
  `following configuration parameter: "maxSupportedTransactionVersion": ${version}`

layer(svm)("transaction versions", (it) => {
  it.effect(
    "charges a version 1 transaction the fee in its message, and returns it with its budget",
    on(async (svm) => {
      const [payer, to] = [await relayer(), await generateKeyPairSigner()]
      const transaction = await version1(svm, payer, to.address, [1_000_000n, 2_000_000n])
      const message = getBase64Decoder().decode(transaction.messageBytes) as Parameters<
        typeof svm.rpc.getFeeForMessage
      >[0]
      expect((await svm.rpc.getFeeForMessage(message, { commitment: "processed" }).send()).value).toBe(5077n)
      const before = (await svm.rpc.getBalance(payer.address, confirmed).send()).value
      const signature = await send(svm, transaction)
      const after = (await svm.rpc.getBalance(payer.address, confirmed).send()).value
      expect(before - after).toBe(3_005_077n)
      const options = { ...confirmed, maxSupportedTransactionVersion: 1 } as const
      const json = await svm.rpc.getTransaction(signature, { ...options, encoding: "json" }).send()
      expect(json).toMatchObject({
        version: 1,
        meta: { err: null, fee: 5077n },
        transaction: {
          message: {
            transactionConfig: {
              computeUnitLimit: 50_000,
              heapSize: null,
              loadedAccountsDataSizeLimit: 100_000,
              priorityFee: 77n
            },
            instructions: [{ accounts: [0, 1] }, { accounts: [0, 1] }]
          }
        }
      })
      const base64 = await svm.rpc.getTransaction(signature, { ...options, encoding: "base64" }).send()
      expect(base64?.transaction[0]).toBe(getBase64EncodedWireTransaction(transaction))
      const [fee] = (await svm.rpc.getRecentPrioritizationFees([to.address]).send()).filter(
        ({ prioritizationFee }) => prioritizationFee > 0n
      )
      expect(fee?.prioritizationFee).toBe(1540n)
    })
  )

  it.effect(
    "simulates a version 1 transaction with another blockhash, and accepts one of up to 4,096 bytes",
    on(async (svm) => {
      const [payer, to] = [await relayer(), await generateKeyPairSigner()]
      const many = Array.from({ length: 60 }, () => 1_000_000n)
      const transaction = await version1(svm, payer, to.address, many)
      const wire = getBase64EncodedWireTransaction(transaction)
      expect(wire.length).toBeGreaterThan(1644)
      const simulated = await svm.rpc
        .simulateTransaction(wire, { encoding: "base64", replaceRecentBlockhash: true, commitment: "processed" })
        .send()
      expect(simulated.value).toMatchObject({ err: null, unitsConsumed: 9000n })
      await send(svm, transaction)
      expect((await svm.rpc.getBalance(to.address, confirmed).send()).value).toBe(60_000_000n)
    })
  )

  it.effect(
    "refuses clients that do not support the version of a transaction, alone and in a block",
    on(async (svm) => {
      const [payer, to] = [await relayer(), await generateKeyPairSigner()]
      const first = await send(svm, await version1(svm, payer, to.address, [1_000_000n]))
      const instructions = [transfer(payer, to.address, 1_000_000n)]
      const zero = await send(svm, await signed(payer, await lifetime(svm), instructions))
      const read = (signature: typeof first, maxSupportedTransactionVersion?: 0 | 1) =>
        svm.rpc
          .getTransaction(signature, {
            ...confirmed,
            ...(maxSupportedTransactionVersion !== undefined && { maxSupportedTransactionVersion }),
            encoding: "base64"
          } as never)
          .send()
      expect(await refusedVersion(read(first))).toBe(refusalOf(1))
      expect(await refusedVersion(read(first, 0))).toBe(refusalOf(1))
      expect(await refusedVersion(read(zero))).toBe(refusalOf(0))
      expect(await refusedVersion(read(zero, 1))).toBeUndefined()
      const { slot: at } = (await read(first, 1)) as unknown as { readonly slot: bigint }
      const block = (maxSupportedTransactionVersion: 0 | 1) =>
        svm.rpc.getBlock(at, { ...confirmed, encoding: "base64", maxSupportedTransactionVersion } as never).send()
      expect(await refusedVersion(block(0))).toBe(refusalOf(1))
      expect(await block(1)).toMatchObject({ parentSlot: at - 1n, rewards: [] })
    })
  )

  it.effect(
    "lists fifty version 1 transactions in the history of a wallet",
    on(async (svm) => {
      const [payer, to] = [await relayer(), await generateKeyPairSigner()]
      const sent: Array<string> = []
      for (let index = 0n; index < 50n; index += 1n) {
        sent.push(await send(svm, await version1(svm, payer, to.address, [1_000_000n + index])))
      }
      const found = await svm.rpc.getSignaturesForAddress(to.address, { ...confirmed, limit: 60 }).send()
      expect(found.map(({ signature }) => String(signature)).toReversed()).toEqual(sent)
    })
  )

  it.effect(
    "reports for each slot the lowest price that wrote an account",
    on(async (svm, control) => {
      const [payer, written, other] = [await relayer(), await generateKeyPairSigner(), await generateKeyPairSigner()]
      await Effect.runPromise(control.hold)
      // Both land in one block: one without a priority fee, and one with 77 lamports for 50,000 units.
      const plain = await signed(payer, await lifetime(svm), [transfer(payer, other.address, 1_000_000n)])
      await send(svm, plain)
      await send(svm, await version1(svm, payer, written.address, [1_000_000n]))
      await Effect.runPromise(control.release)
      await Effect.runPromise(control.mine(1))
      const highest = async (address: Address) =>
        (await svm.rpc.getRecentPrioritizationFees([address]).send())
          .map(({ prioritizationFee }) => prioritizationFee)
          .reduce((a, b) => (a > b ? a : b))
      expect(await highest(written.address)).toBe(1540n)
      const { slot } = (await svm.rpc.getSignaturesForAddress(other.address, confirmed).send())[0] ?? { slot: 0n }
      const fees = await svm.rpc.getRecentPrioritizationFees([other.address]).send()
      expect(fees.find((one) => one.slot === slot)?.prioritizationFee).toBe(0n)
    })
  )
})
