import { layer } from "@effect/vitest"
import {
  getTransferSolInstruction,
  getCreateAccountInstruction,
  getInitializeNonceAccountInstruction
} from "@solana-program/system"
import {
  address,
  appendTransactionMessageInstructions,
  assertIsTransactionWithDurableNonceLifetime,
  createTransactionMessage,
  fetchAddressesForLookupTables,
  generateKeyPairSigner,
  getBase58Decoder,
  getBase64Decoder,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type Instruction,
  isSolanaError,
  type KeyPairSigner,
  lamports,
  type Nonce,
  pipe,
  type Signature,
  sendAndConfirmDurableNonceTransactionFactory,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingDurableNonce,
  signTransactionMessageWithSigners,
  SOLANA_ERROR__BLOCK_HEIGHT_EXCEEDED,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED,
  SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND,
  type Transaction
} from "@solana/kit"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect } from "vitest"
import { WebSocket } from "ws"
import { eventually } from "../../../tooling/testing/processes.js"
import * as SolanaNode from "../src/SolanaNode.js"
import { genesis } from "./surfpool/genesis.js"
import {
  type Clients,
  clients,
  lifetime,
  lookupTable,
  memoProgram,
  person,
  relayer,
  signed,
  swap,
  tokenAccountOf,
  usdc,
  vault
} from "./svm.js"

class Svm extends Context.Service<Svm, SolanaNode.SolanaNode>()("test/Svm") {}

const front = (options: { readonly slotTime: number; readonly finalitySlots: number }) =>
  Layer.effect(Svm, SolanaNode.make({ port: 0, wsPort: 0, confirmationSlots: 1, genesis, ...options }))

const confirmed = { commitment: "confirmed" } as const
const processed = { commitment: "processed" } as const
const wireOf = (transaction: Transaction) => getBase64EncodedWireTransaction(transaction)
const sent = ({ rpc }: Clients, transaction: Transaction, skipPreflight = false) =>
  rpc
    .sendTransaction(wireOf(transaction), { encoding: "base64", preflightCommitment: "processed", skipPreflight })
    .send()

/** Runs a promise-based test with the clients of the SVM. */
const on = (test: (clients: Clients, svm: SolanaNode.SolanaNode) => Promise<void>) => () =>
  Effect.gen(function* () {
    const svm = yield* Svm
    yield* Effect.promise(() => test(clients(svm.rpcUrl, svm.wsUrl), svm))
  })

const usdcOf = async (
  { rpc }: Clients,
  owner: Awaited<ReturnType<typeof person>>,
  commitment: "processed" | "confirmed" | "finalized"
) => (await rpc.getTokenAccountBalance(await tokenAccountOf(owner.address), { commitment }).send()).value.amount

const preflightCause = async (promise: Promise<unknown>) => {
  try {
    await promise
  } catch (error) {
    if (isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE))
      return error.cause
    throw error
  }
  return undefined
}

/** Makes one call without kit. */
const raw = async (svm: SolanaNode.SolanaNode, body: string) => {
  const response = await fetch(svm.rpcUrl, { method: "POST", body })
  return (await response.json()) as { readonly error?: { readonly code: number; readonly message: string } }
}
const call = (svm: SolanaNode.SolanaNode, method: string, ...params: ReadonlyArray<unknown>) =>
  raw(svm, JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }))

interface Said {
  readonly id?: number
  readonly method?: string
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: { readonly code: number }
}

/** Opens a websocket without kit. */
const socket = async (url: string) => {
  const client = new WebSocket(url)
  const said: Array<Said> = []
  client.on("message", (data: Buffer) => void said.push(JSON.parse(data.toString()) as Said))
  await new Promise((resolve) => client.once("open", resolve))
  const ask = async (id: number, method: string, ...params: ReadonlyArray<unknown>): Promise<Said> => {
    client.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }))
    await eventually(() => said.some((one) => one.id === id))
    return said.find((one) => one.id === id) ?? {}
  }
  return { ask, said, close: () => client.close() }
}

layer(front({ slotTime: 100, finalitySlots: 32 }))("the SVM while slots pass", (it) => {
  it.effect(
    "runs a swap with kit's sendAndConfirm: the relayer pays, the wallet only signs",
    on(async (svm) => {
      const [payer, wallet] = [await relayer(), await person(0)]
      const before = (await svm.rpc.getBalance(payer.address, confirmed).send()).value
      const transaction = await signed(payer, await lifetime(svm), await swap(wallet, 5_000_000n, "geoswap:1:2"))
      await svm.sendAndConfirm(transaction, confirmed)
      expect(await usdcOf(svm, wallet, "confirmed")).toBe("9995000000")
      expect((await svm.rpc.getBalance(wallet.address, confirmed).send()).value).toBe(0n)
      // 5,000 for each of two signatures, and 60,000 units at a thousandth of a lamport.
      expect(before - (await svm.rpc.getBalance(payer.address, confirmed).send()).value).toBe(10_060n)
      const [listed] = await svm.rpc.getSignaturesForAddress(wallet.address, confirmed).send()
      expect(listed).toMatchObject({ err: null, memo: "[11] geoswap:1:2" })
    })
  )

  it.effect(
    "confirms at finality only after 32 slots",
    on(async (svm) => {
      const [payer, wallet] = [await relayer(), await person(1)]
      const transaction = await signed(payer, await lifetime(svm), await swap(wallet, 1_000_000n))
      const signature = getSignatureFromTransaction(transaction)
      await svm.sendAndConfirm(transaction, confirmed)
      expect(await usdcOf(svm, wallet, "confirmed")).toBe("9999000000")
      const { slot } = (await svm.rpc.getSignatureStatuses([signature]).send()).value[0] ?? {}
      const again = await signed(payer, await lifetime(svm), await swap(wallet, 2_000_000n))
      await svm.sendAndConfirm(again, { commitment: "finalized" })
      expect(await usdcOf(svm, wallet, "finalized")).toBe("9997000000")
      expect((await svm.rpc.getSlot(processed).send()) - (slot ?? 0n)).toBeGreaterThanOrEqual(32n)
      const { value } = await svm.rpc.getSignatureStatuses([signature]).send()
      expect(value[0]).toMatchObject({ confirmationStatus: "finalized", confirmations: null })
    })
  )

  it.effect(
    "creates, extends, reads and uses lookup tables with kit",
    on(async (svm) => {
      const [payer, wallet] = [await relayer(), await person(2)]
      const recentSlot = await svm.rpc.getSlot({ commitment: "finalized" }).send()
      const account = await tokenAccountOf(vault)
      const { instructions, table } = await lookupTable(payer, recentSlot, [account, usdc, memoProgram])
      await svm.sendAndConfirm(await signed(payer, await lifetime(svm), instructions), confirmed)
      const tables = await fetchAddressesForLookupTables([table], svm.rpc, confirmed)
      expect(tables[table]).toEqual([account, usdc, memoProgram])
      // The addresses are usable from the next slot on.
      const slot = await svm.rpc.getSlot(processed).send()
      await eventually(async () => (await svm.rpc.getSlot(processed).send()) > slot)
      const transaction = await signed(payer, await lifetime(svm), await swap(wallet, 1n), tables)
      await svm.sendAndConfirm(transaction, confirmed)
      const signature = getSignatureFromTransaction(transaction)
      const found = await svm.rpc
        .getTransaction(signature, { ...confirmed, encoding: "json", maxSupportedTransactionVersion: 0 })
        .send()
      expect(found?.meta).toMatchObject({ loadedAddresses: { writable: [account], readonly: [usdc] } })
      expect(await usdcOf(svm, wallet, "confirmed")).toBe("9999999999")
    })
  )

  it.effect(
    "notifies subscribers of signatures, accounts, logs, slots and roots",
    on(async (svm) => {
      const abort = new AbortController()
      const options = { abortSignal: abort.signal }
      const [payer, wallet] = [await relayer(), await person(3)]
      const transaction = await signed(payer, await lifetime(svm), await swap(wallet, 3n))
      const signature = getSignatureFromTransaction(transaction)
      const { rpcSubscriptions } = svm
      const account = await tokenAccountOf(wallet.address)
      const streams = await Promise.all([
        rpcSubscriptions.signatureNotifications(signature, confirmed).subscribe(options),
        rpcSubscriptions.accountNotifications(account, { ...confirmed, encoding: "base64" }).subscribe(options),
        rpcSubscriptions.logsNotifications({ mentions: [memoProgram] }, confirmed).subscribe(options),
        rpcSubscriptions.slotNotifications().subscribe(options),
        rpcSubscriptions.rootNotifications().subscribe(options)
      ])
      const first = async <A>(stream: AsyncIterable<A>): Promise<A> => {
        for await (const one of stream) return one
        throw new Error("There was no notification.")
      }
      // Subscribed before anything happens.
      const told = Promise.all([
        first(streams[0]),
        first(streams[1]),
        first(streams[2]),
        first(streams[3]),
        first(streams[4])
      ])
      await sent(svm, transaction)
      const [status, changed, logs, slot, root] = await told
      abort.abort()
      expect(status.value).toEqual({ err: null })
      expect(Buffer.from(changed.value.data[0], "base64").readBigUInt64LE(64)).toBe(9_999_999_997n)
      expect(logs.value).toMatchObject({ signature, err: null })
      expect(slot.slot).toBeGreaterThan(slot.parent)
      expect(root).toBeLessThan(slot.slot)
    })
  )

  it.effect(
    "notifies a late subscriber of a confirmed signature, after the response",
    on(async (svm, control) => {
      const [payer, wallet] = [await relayer(), await person(3)]
      const transaction = await signed(payer, await lifetime(svm), await swap(wallet, 4n, "late"))
      await svm.sendAndConfirm(transaction, confirmed)
      const { ask, said } = await socket(control.wsUrl)
      const { result } = await ask(1, "signatureSubscribe", getSignatureFromTransaction(transaction), confirmed)
      await eventually(() => said.length > 1)
      expect(said[1]).toMatchObject({
        method: "signatureNotification",
        params: { subscription: result, result: { value: { err: null } } }
      })
      // The notification ended the subscription.
      expect((await ask(2, "signatureUnsubscribe", result)).error?.code).toBe(-32602)
    })
  )
})

layer(front({ slotTime: 3_600_000, finalitySlots: 4 }))("the SVM slot by slot", (it) => {
  const mine = (svm: SolanaNode.SolanaNode, slots: number) => Effect.runPromise(svm.mine(slots))

  it.effect(
    "returns the state of each commitment",
    on(async (svm, control) => {
      const [payer, wallet] = [await relayer(), await person(0)]
      const { value: hash } = await svm.rpc.getLatestBlockhash(processed).send()
      const signature = await sent(svm, await signed(payer, hash, await swap(wallet, 1n, "commitments")))
      const isListed = async (commitment: "confirmed" | "finalized") => {
        const how = { commitment, encoding: "json", maxSupportedTransactionVersion: 0 } as const
        return (await svm.rpc.getTransaction(signature, how).send()) !== null
      }
      const seen = async () => [
        await usdcOf(svm, wallet, "processed"),
        await usdcOf(svm, wallet, "confirmed"),
        await usdcOf(svm, wallet, "finalized"),
        await isListed("confirmed"),
        await isListed("finalized")
      ]
      const [old, fresh] = ["10000000000", "9999999999"]
      expect(await seen()).toEqual([fresh, old, old, false, false])
      await mine(control, 1)
      expect(await seen()).toEqual([fresh, fresh, old, true, false])
      await mine(control, 2)
      expect(await seen()).toEqual([fresh, fresh, old, true, false])
      await mine(control, 1)
      expect(await seen()).toEqual([fresh, fresh, fresh, true, true])
    })
  )

  it.effect(
    "accepts a blockhash for exactly 150 blocks",
    on(async (svm, control) => {
      const [payer, wallet] = [await relayer(), await person(0)]
      const { value: hash } = await svm.rpc.getLatestBlockhash(processed).send()
      const valid = async () => (await svm.rpc.isBlockhashValid(hash.blockhash, processed).send()).value
      await mine(control, 150)
      expect(await svm.rpc.getBlockHeight(processed).send()).toBe(hash.lastValidBlockHeight)
      expect(await valid()).toBe(true)
      await sent(svm, await signed(payer, hash, await swap(wallet, 1n, "just in time")))
      await mine(control, 1)
      expect(await valid()).toBe(false)
      const late = await signed(payer, hash, await swap(wallet, 1n, "too late"))
      const cause = await preflightCause(sent(svm, late))
      expect(isSolanaError(cause, SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND)).toBe(true)
      // Without preflight, the node accepts it, but no block includes it.
      const signature = await sent(svm, late, true)
      await mine(control, 1)
      expect((await svm.rpc.getSignatureStatuses([signature]).send()).value).toEqual([null])
    })
  )

  it.effect(
    "rejects a blockhash at a commitment that has not seen it",
    on(async (svm, control) => {
      const [payer, wallet] = [await relayer(), await person(0)]
      await mine(control, 1)
      const { value: hash } = await svm.rpc.getLatestBlockhash(processed).send()
      const transaction = await signed(payer, hash, await swap(wallet, 1n, "ahead"))
      const finalized = svm.rpc
        .sendTransaction(wireOf(transaction), { encoding: "base64", preflightCommitment: "finalized" })
        .send()
      const cause = await preflightCause(finalized)
      expect(isSolanaError(cause, SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND)).toBe(true)
    })
  )

  it.effect(
    "lets kit's sendAndConfirm detect an expired transaction",
    on(async (svm, control) => {
      const [payer, wallet] = [await relayer(), await person(0)]
      const transaction = await signed(payer, await lifetime(svm), await swap(wallet, 1n, "expires"))
      await Effect.runPromise(control.hold)
      let settled = false
      const outcome = svm
        .sendAndConfirm(transaction, confirmed)
        .catch((error: unknown) => error)
        .finally(() => void (settled = true))
      const signature = getSignatureFromTransaction(transaction)
      await eventually(() => Effect.runPromise(control.drop(signature)))
      await Effect.runPromise(control.expireBlockhashes)
      // Kit receives slots only after it has subscribed, at an unknown time.
      await eventually(async () => {
        await mine(control, 1)
        return settled
      })
      expect(isSolanaError(await outcome, SOLANA_ERROR__BLOCK_HEIGHT_EXCEEDED)).toBe(true)
      await Effect.runPromise(control.release)
    })
  )

  it.effect(
    "runs no transaction twice, with or without preflight",
    on(async (svm) => {
      const [payer, wallet] = [await relayer(), await person(1)]
      const { value: hash } = await svm.rpc.getLatestBlockhash(processed).send()
      const transaction = await signed(payer, hash, await swap(wallet, 1_000_000n, "once"))
      await sent(svm, transaction)
      const cause = await preflightCause(sent(svm, transaction))
      expect(isSolanaError(cause, SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED)).toBe(true)
      expect(await sent(svm, transaction, true)).toBe(getSignatureFromTransaction(transaction))
      expect(await usdcOf(svm, wallet, "processed")).toBe("9999000000")
    })
  )

  it.effect(
    "charges the fee of a failed transaction, and records the transaction",
    on(async (svm, control) => {
      const [payer, wallet] = [await relayer(), await person(1)]
      const balance = async () => (await svm.rpc.getBalance(payer.address, processed).send()).value
      const before = await balance()
      const { value: hash } = await svm.rpc.getLatestBlockhash(processed).send()
      const signature = await sent(svm, await signed(payer, hash, await swap(wallet, 10n ** 15n, "fails")), true)
      expect(before - (await balance())).toBe(10_060n)
      await mine(control, 1)
      const found = await svm.rpc
        .getTransaction(signature, { ...confirmed, encoding: "json", maxSupportedTransactionVersion: 0 })
        .send()
      expect(found?.meta).toMatchObject({ err: { InstructionError: [2n, { Custom: 1n }] }, fee: 10_060n })
      expect(found?.meta?.logMessages?.join()).toContain("insufficient funds")
    })
  )

  it.effect(
    "simulates at the state of the commitment, and changes nothing",
    on(async (svm, control) => {
      const [payer, wallet] = [await relayer(), await person(2)]
      await mine(control, 5)
      const { value: hash } = await svm.rpc.getLatestBlockhash(processed).send()
      await sent(svm, await signed(payer, hash, await swap(wallet, 9_999_000_000n, "most of it")))
      const { value: old } = await svm.rpc.getLatestBlockhash({ commitment: "finalized" }).send()
      const wire = wireOf(await signed(payer, old, await swap(wallet, 5_000_000n, "simulated")))
      const account = await tokenAccountOf(wallet.address)
      const at = async (commitment: "processed" | "finalized") =>
        (
          await svm.rpc
            .simulateTransaction(wire, {
              commitment,
              encoding: "base64",
              accounts: { addresses: [account], encoding: "jsonParsed" }
            })
            .send()
        ).value
      expect((await at("processed")).err).toEqual({ InstructionError: [2n, { Custom: 1n }] })
      const then = await at("finalized")
      expect(then.err).toBeNull()
      expect(
        JSON.stringify(then.accounts, (_, value: unknown) => (typeof value === "bigint" ? Number(value) : value))
      ).toContain('"9995000000"')
      expect(await usdcOf(svm, wallet, "processed")).toBe("1000000")
      expect(await usdcOf(svm, wallet, "finalized")).toBe("10000000000")
    })
  )

  it.effect(
    "accepts durable nonces long after the blockhash expired, once each, and advances them on failure",
    on(async (svm, control) => {
      const [payer, wallet, nonceAccount] = [await relayer(), await person(3), await generateKeyPairSigner()]
      const rent = await svm.rpc.getMinimumBalanceForRentExemption(80n).send()
      const { value: hash } = await svm.rpc.getLatestBlockhash(processed).send()
      const system = address("11111111111111111111111111111111")
      await sent(
        svm,
        await signed(payer, hash, [
          getCreateAccountInstruction({
            payer,
            newAccount: nonceAccount,
            lamports: rent,
            space: 80,
            programAddress: system
          }),
          getInitializeNonceAccountInstruction({ nonceAccount: nonceAccount.address, nonceAuthority: payer.address })
        ])
      )
      await mine(control, 1)
      const nonceNow = async () => {
        const { value } = await svm.rpc
          .getAccountInfo(nonceAccount.address, { ...processed, encoding: "base64" })
          .send()
        return getBase58Decoder().decode(Buffer.from(value?.data[0] ?? "", "base64").subarray(40, 72)) as Nonce
      }
      const durable = async (instructions: ReadonlyArray<Instruction>, signer: KeyPairSigner, nonce: Nonce) => {
        const transaction = await pipe(
          createTransactionMessage({ version: 0 }),
          (message) => setTransactionMessageFeePayerSigner(signer, message),
          (message) =>
            setTransactionMessageLifetimeUsingDurableNonce(
              { nonce, nonceAccountAddress: nonceAccount.address, nonceAuthorityAddress: signer.address },
              message
            ),
          (message) => appendTransactionMessageInstructions(instructions, message),
          (message) => signTransactionMessageWithSigners(message)
        )
        assertIsTransactionWithDurableNonceLifetime(transaction)
        return transaction
      }
      const value = await nonceNow()
      const transaction = await durable(await swap(wallet, 1_000_000n, "durable"), payer, value)
      await Effect.runPromise(control.expireBlockhashes)
      const confirm = sendAndConfirmDurableNonceTransactionFactory(svm)
      await confirm(transaction, processed)
      expect(await usdcOf(svm, wallet, "processed")).toBe("9999000000")
      expect(await nonceNow()).not.toBe(value)
      const again = await preflightCause(sent(svm, transaction))
      expect(isSolanaError(again, SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND)).toBe(true)

      await mine(control, 1)
      const next = await nonceNow()
      const failing = await durable(await swap(wallet, 10n ** 15n, "durable failure"), payer, next)
      const signature = await sent(svm, failing, true)
      expect((await svm.rpc.getSignatureStatuses([signature]).send()).value[0]?.err).not.toBeNull()
      expect(await nonceNow()).not.toBe(next)
    })
  )

  it.effect(
    "airdrops lamports, even twice the same amount",
    on(async (svm, control) => {
      const { address: fresh } = await generateKeyPairSigner()
      for (const expected of [5_000_000n, 10_000_000n]) {
        expect(await call(control, "requestAirdrop", fresh, 5_000_000)).toHaveProperty("result")
        expect((await svm.rpc.getBalance(fresh, processed).send()).value).toBe(expected)
      }
    })
  )

  it.effect(
    "quotes the fee that it charges, and returns recent prioritization fees",
    on(async (svm, control) => {
      const [payer, wallet] = [await relayer(), await person(0)]
      const { value: hash } = await svm.rpc.getLatestBlockhash(processed).send()
      const withoutLimit = [
        getTransferSolInstruction({ source: payer, destination: wallet.address, amount: lamports(1_000_000n) })
      ]
      for (const instructions of [await swap(wallet, 1n, "priced"), withoutLimit]) {
        const transaction = await signed(payer, hash, instructions)
        const message = getBase64Decoder().decode(transaction.messageBytes) as Parameters<
          typeof svm.rpc.getFeeForMessage
        >[0]
        const fee = (await svm.rpc.getFeeForMessage(message, processed).send()).value
        const spent = instructions === withoutLimit ? 1_000_000n : 0n
        const before = (await svm.rpc.getBalance(payer.address, processed).send()).value
        await sent(svm, transaction)
        const after = (await svm.rpc.getBalance(payer.address, processed).send()).value
        expect(before - after - spent).toBe(fee)
      }
      await mine(control, 1)
      const account = await tokenAccountOf(wallet.address)
      const fees = await svm.rpc.getRecentPrioritizationFees([account]).send()
      expect(fees.map(({ prioritizationFee }) => prioritizationFee)).toContain(1000n)
    })
  )

  it.effect(
    "refuses requests with the codes of a real node",
    on(async (_, svm) => {
      const codeOf = async (method: string, ...params: ReadonlyArray<unknown>) =>
        (await call(svm, method, ...params)).error?.code
      expect(await codeOf("getNothing")).toBe(-32601)
      expect(await codeOf("getBalance")).toBe(-32602)
      expect(await codeOf("getBalance", 5)).toBe(-32602)
      expect(await codeOf("getBalance", vault, { commitment: "soon" })).toBe(-32602)
      expect(await codeOf("getSlot", { minContextSlot: 10 ** 12 })).toBe(-32016)
      expect(await codeOf("getBlockTime", 10 ** 12)).toBe(-32004)
      expect(await codeOf("getTransaction", "1".repeat(64), { commitment: "processed" })).toBe(-32602)
      expect(await codeOf("sendTransaction", "A".repeat(2000), { encoding: "base64" })).toBe(-32602)
      expect(await codeOf("simulateTransaction", "AAAA", { encoding: "base64" })).toBe(-32602)
      expect((await raw(svm, "{")).error?.code).toBe(-32700)
      expect((await raw(svm, "[]")).error?.code).toBe(-32600)
      expect((await raw(svm, `{"id":1}`)).error?.code).toBe(-32600)
      const tooLarge = await fetch(svm.rpcUrl, { method: "POST", body: " ".repeat(60_000) })
      expect(tooLarge.status).toBe(413)
    })
  )

  it.effect(
    "lists its blocks from the first on, and none of an abandoned fork",
    on(async ({ rpc }, control) => {
      await mine(control, 6)
      const first = await rpc.getFirstAvailableBlock().send()
      const listed = (from: bigint, most: number, commitment: "confirmed" | "finalized") =>
        rpc.getBlocksWithLimit(from, most, { commitment }).send()
      expect(await listed(0n, 3, "finalized")).toEqual([first, first + 1n, first + 2n])
      expect(await rpc.getBlockTime(first).send()).toBeGreaterThan(0n)
      await expect(rpc.getBlockTime(first - 1n).send()).rejects.toThrow(/skipped/)
      const slot = await rpc.getSlot(processed).send()
      expect(await listed(slot - 1n, 500_000, "confirmed")).toEqual([slot - 1n])
      const final = await rpc.getSlot({ commitment: "finalized" }).send()
      expect((await listed(first, 500_000, "finalized")).at(-1)).toBe(final)
      await Effect.runPromise(control.reorg(1))
      await mine(control, 1)
      expect(await listed(slot - 1n, 500_000, "confirmed")).toEqual([slot - 1n, slot + 1n])
      expect((await call(control, "getBlocksWithLimit", 0, 500_001)).error?.code).toBe(-32602)
      expect((await call(control, "getBlocksWithLimit", 0, 1, processed)).error?.code).toBe(-32602)
    })
  )

  it.effect(
    "responds to batches in order, and not to notifications",
    on(async (_, svm) => {
      const batch = [
        { jsonrpc: "2.0", id: "a", method: "getHealth" },
        { jsonrpc: "2.0", method: "getHealth" },
        { jsonrpc: "2.0", id: "b", method: "getNothing" }
      ]
      expect(await raw(svm, JSON.stringify(batch))).toMatchObject([
        { id: "a", result: "ok" },
        { id: "b", error: { code: -32601 } }
      ])
    })
  )

  it.effect(
    "keeps 64-bit integers exact",
    on(async (svm) => {
      const { value } = await svm.rpc.getAccountInfo(usdc, { ...processed, encoding: "base64" }).send()
      expect((value as unknown as { rentEpoch: bigint }).rentEpoch).toBe(2n ** 64n - 1n)
    })
  )

  it.effect(
    "ends subscriptions on request, and refuses to end unknown ones",
    on(async (_, control) => {
      const { ask, close, said } = await socket(control.wsUrl)
      const { result } = await ask(1, "slotSubscribe")
      await mine(control, 1)
      expect((await ask(2, "slotUnsubscribe", result)).result).toBe(true)
      const told = said.filter(({ method }) => method === "slotNotification").length
      expect(told).toBe(1)
      await mine(control, 3)
      expect((await ask(3, "slotUnsubscribe", result)).error?.code).toBe(-32602)
      expect(said.filter(({ method }) => method === "slotNotification").length).toBe(told)
      close()
    })
  )

  it.effect(
    "abandons a fork, with its transactions and blockhashes",
    on(async (svm, control) => {
      const [payer, wallet] = [await relayer(), await person(3)]
      await mine(control, 5)
      const before = await usdcOf(svm, wallet, "processed")
      const { value: kept } = await svm.rpc.getLatestBlockhash(processed).send()
      const slot = await svm.rpc.getSlot(processed).send()
      await mine(control, 1)
      const { value: lost } = await svm.rpc.getLatestBlockhash(processed).send()
      const transaction = await signed(payer, kept, await swap(wallet, 1_000_000n, "forked"))
      const signature = await sent(svm, transaction)
      await mine(control, 1)
      expect((await svm.rpc.getSignatureStatuses([signature]).send()).value[0]?.confirmationStatus).toBe("confirmed")
      await Effect.runPromise(control.reorg(2))
      expect((await svm.rpc.getSignatureStatuses([signature]).send()).value).toEqual([null])
      expect(await usdcOf(svm, wallet, "processed")).toBe(before)
      expect((await svm.rpc.isBlockhashValid(lost.blockhash, processed).send()).value).toBe(false)
      expect((await svm.rpc.isBlockhashValid(kept.blockhash, processed).send()).value).toBe(true)
      expect(await svm.rpc.getSlot(processed).send()).toBe(slot + 3n)
      expect((await call(control, "getBlockTime", Number(slot) + 1)).error?.code).toBe(-32007)
      // The same transaction may land on the new fork.
      expect(await sent(svm, transaction)).toBe(signature)
      const refused = await Effect.runPromise(Effect.flip(control.reorg(100)))
      expect(refused).toMatchObject({
        _tag: "ChainRefused",
        message: expect.stringContaining("some of them are final") as string
      })
    })
  )

  it.effect(
    "queues transactions while it is held, and forgets dropped ones",
    on(async (svm, control) => {
      const [payer, wallet] = [await relayer(), await person(2)]
      const { value: hash } = await svm.rpc.getLatestBlockhash(processed).send()
      await Effect.runPromise(control.hold)
      const [first, second] = await Promise.all(
        ["waits", "is dropped"].map(async (memo) => sent(svm, await signed(payer, hash, await swap(wallet, 1n, memo))))
      )
      if (first === undefined || second === undefined) return expect.unreachable()
      expect((await svm.rpc.getSignatureStatuses([first, second]).send()).value).toEqual([null, null])
      expect(await Effect.runPromise(control.drop(second))).toBe(true)
      expect(await Effect.runPromise(control.drop(second))).toBe(false)
      await mine(control, 1)
      const { value } = await svm.rpc.getSignatureStatuses([first, second]).send()
      expect(value.map((status) => status?.confirmationStatus)).toEqual(["processed", undefined])
      await Effect.runPromise(control.release)
    })
  )

  it.effect(
    "returns old statuses only if the history is searched",
    on(async (svm, control) => {
      const [payer, wallet] = [await relayer(), await person(2)]
      const { value: hash } = await svm.rpc.getLatestBlockhash(processed).send()
      const signature = await sent(svm, await signed(payer, hash, await swap(wallet, 1n, "old")))
      await mine(control, 301)
      const status = async (searchTransactionHistory: boolean) =>
        (await svm.rpc.getSignatureStatuses([signature], { searchTransactionHistory }).send()).value[0]
      expect(await status(false)).toBeNull()
      expect(await status(true)).toMatchObject({ err: null, confirmationStatus: "finalized" })
    })
  )

  it.effect(
    "sets its clock",
    on(async (svm, control) => {
      const later = 2_000_000_000
      const before = performance.now()
      // The time passed on this machine, plus a second for rounding.
      const most = () => (performance.now() - before) / 1000 + 1
      await Effect.runPromise(control.setTime(later))
      await mine(control, 1)
      const slot = await svm.rpc.getSlot(processed).send()
      const passed = Number(await svm.rpc.getBlockTime(slot).send()) - later
      expect(passed).toBeGreaterThanOrEqual(0)
      expect(passed).toBeLessThanOrEqual(most())
      const { value } = await svm.rpc
        .getAccountInfo(address("SysvarC1ock11111111111111111111111111111111"), { ...processed, encoding: "base64" })
        .send()
      const clock = Buffer.from(value?.data[0] ?? "", "base64")
      expect(Number(clock.readBigInt64LE(32)) - later).toBe(passed)
      expect(clock.readBigUInt64LE(0)).toBe(slot)
    })
  )

  it.effect(
    "keeps finalized blocks, no matter how often it forks",
    on(async (svm, control) => {
      const [payer, wallet] = [await relayer(), await person(1)]
      const { value: hash } = await svm.rpc.getLatestBlockhash(processed).send()
      const signature = await sent(svm, await signed(payer, hash, await swap(wallet, 1n, "final")))
      await mine(control, 4)
      const status = async () => (await svm.rpc.getSignatureStatuses([signature]).send()).value[0]?.confirmationStatus
      const root = await svm.rpc.getSlot({ commitment: "finalized" }).send()
      expect(await status()).toBe("finalized")
      await Effect.runPromise(control.reorg(3))
      expect(await svm.rpc.getSlot({ commitment: "finalized" }).send()).toBe(root)
      expect(await status()).toBe("finalized")
      const again = await Effect.runPromise(Effect.result(control.reorg(3)))
      expect(again).toMatchObject({ _tag: "Failure", failure: { _tag: "ChainRefused", method: "reorg" } })
    })
  )

  it.effect(
    "runs waiting transactions before those sent after a release",
    on(async (svm, control) => {
      const [payer, wallet] = [await relayer(), await person(2)]
      const { value: hash } = await svm.rpc.getLatestBlockhash(processed).send()
      const [first, second] = await Promise.all(
        ["first", "second"].map(async (memo) => signed(payer, hash, await swap(wallet, 1n, memo)))
      )
      if (first === undefined || second === undefined) throw new Error("There are two.")
      await Effect.runPromise(control.hold)
      await sent(svm, first)
      await Effect.runPromise(control.release)
      await sent(svm, second)
      await mine(control, 1)
      await mine(control, 1)
      const signatures = await svm.rpc.getSignaturesForAddress(wallet.address, { commitment: "confirmed" }).send()
      expect(signatures.slice(0, 2).map(({ signature }) => signature)).toEqual(
        [second, first].map((transaction) => getSignatureFromTransaction(transaction))
      )
      const stranger = getBase58Decoder().decode(new Uint8Array(64).fill(7)) as Signature
      expect(await svm.rpc.getSignaturesForAddress(wallet.address, { before: stranger }).send()).toEqual([])
    })
  )

  it.effect(
    "sends the error that base58 cannot encode an account only to its subscriber",
    on(async (svm, control) => {
      const [payer, wallet] = [await relayer(), await person(3)]
      const account = await tokenAccountOf(wallet.address)
      const socket = new WebSocket(control.wsUrl)
      const messages: Array<string> = []
      socket.on("message", (data: Buffer) => messages.push(data.toString()))
      await new Promise((resolve) => socket.once("open", resolve))
      const params = [account, { commitment: "processed" }]
      socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "accountSubscribe", params }))
      await eventually(() => messages.length === 1)
      const { value: hash } = await svm.rpc.getLatestBlockhash(processed).send()
      await sent(svm, await signed(payer, hash, await swap(wallet, 1n, "watched")))
      await eventually(() => messages.length === 2)
      socket.close()
      expect(messages[1]).toContain("error: data too large for bs58 encoding")
    })
  )

  it.effect(
    "refuses a time and a number of slots that are not whole numbers",
    on(async (_, control) => {
      for (const refused of [control.setTime(1.5), control.setTime(Number.NaN), control.mine(1.5)]) {
        expect(await Effect.runPromise(Effect.result(refused))).toMatchObject({ failure: { _tag: "ChainRefused" } })
      }
    })
  )
})
