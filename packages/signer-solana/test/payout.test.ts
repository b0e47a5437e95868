/** What a node shows about a payment, and what is not a payment for the order. */
import { afterEach, describe, expect, it } from "@effect/vitest"
import { Chain, type ChainReader } from "@geoswap/core"
import { getTransferSolInstruction } from "@solana-program/system"
import {
  getApproveInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getCreateAssociatedTokenInstruction,
  getTransferInstruction
} from "@solana-program/token"
import { type Address, address, createNoopSigner, getBase58Decoder, type Instruction } from "@solana/kit"
import * as Effect from "effect/Effect"
import { closeServers, refusal, type Script, serve } from "../../../tooling/testing/rpcServer.ts"
import { SolanaReader } from "../src/index.js"
import {
  budget,
  bytesOf,
  destination as vaultAccount,
  memo as orderMemo,
  memoOf,
  mint,
  orderId,
  otherMint,
  relayer,
  source as recipientAccount,
  stranger,
  strangersAccount,
  textOf,
  token2022,
  tokenAccount,
  transfer as input,
  transferOf,
  vault,
  wallet as recipient,
  wireOf,
  wireWithTables
} from "./transactions.js"

afterEach(closeServers)

const chainId = Chain.solanaMainnet
const sol = address(Chain.nativeToken.solana)
const older = address("BPFLoaderUpgradeab1e11111111111111111111111")
const paidAt = 1_800_000_000
const txHash = getBase58Decoder().decode(new Uint8Array(64).fill(7))

const query: ChainReader.PayoutQuery = {
  kind: "delivery",
  chainId,
  txHash,
  orderId,
  vaults: [vault, older],
  recipient,
  token: mint,
  since: paidAt * 1000
}

/** A transaction with the fee payer's signature. */
const signed = (wire: string, byte = 7): string => {
  const bytes = bytesOf(wire)
  bytes.fill(byte, 1, 65)
  return textOf(bytes)
}

const landed = (wire: string, change: object = {}) => ({
  slot: 5,
  blockTime: paidAt,
  meta: { err: null },
  transaction: [signed(wire), "base64"],
  ...change
})

const payment = transferOf({
  source: vaultAccount,
  destination: recipientAccount,
  authority: vault,
  amount: 700n
})
const delivered = memoOf(`geoswap:${orderId}:delivered`)
const refunded = memoOf(`geoswap:${orderId}:refunded`)
const opened = getCreateAssociatedTokenIdempotentInstruction({
  payer: createNoopSigner(relayer),
  ata: recipientAccount,
  owner: recipient,
  mint
})
const honest = [...budget, payment, delivered]

const lamports = (from: Address, to: Address, amount: bigint): Instruction =>
  getTransferSolInstruction({ source: createNoopSigner(from), destination: to, amount })

const nodeWith = (answer: unknown): Script => ({
  getGenesisHash: () => "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d",
  getTransaction: () => answer
})

const readPayout = Effect.fnUntraced(function* (answer: unknown, asked: Partial<ChainReader.PayoutQuery> = {}) {
  const server = yield* Effect.promise(() => serve(nodeWith(answer)))
  const reader = yield* SolanaReader.make({ rpcUrls: { [chainId]: server.url } })
  return yield* reader.payout?.({ ...query, ...asked }) ?? Effect.die("missing")
})
const payout = (instructions: ReadonlyArray<Instruction>, asked: Partial<ChainReader.PayoutQuery> = {}) =>
  readPayout(landed(wireOf(instructions)), asked)

/** The honest transaction with a change in its transfer. */
const paying = (change: Parameters<typeof transferOf>[0]) => [
  ...budget,
  transferOf({ source: vaultAccount, destination: recipientAccount, authority: vault, amount: 700n, ...change }),
  delivered
]

describe("the payout of a transaction", () => {
  it.effect("is the amount that a pinned vault transferred before the memo with the order", () =>
    Effect.gen(function* () {
      expect(yield* payout(honest)).toBe(700n)
      expect(yield* payout([...budget, opened, payment, delivered])).toBe(700n)
      expect(yield* payout([...budget, payment, refunded], { kind: "refund" })).toBe(700n)
      expect(yield* payout(honest, { orderId: orderId.toUpperCase().replace("X", "x") })).toBe(700n)
      const source = yield* Effect.promise(() => tokenAccount(older))
      expect(yield* payout(paying({ source, authority: older }))).toBe(700n)
    })
  )

  it.effect("is the lamports that a pinned vault transferred", () =>
    Effect.gen(function* () {
      const native = { token: sol }
      const largest = 2n ** 64n - 1n
      expect(yield* payout([...budget, lamports(vault, recipient, largest), delivered], native)).toBe(largest)
      expect(yield* payout([...budget, lamports(stranger, recipient, 5n), delivered], native)).toBe(0n)
      expect(yield* payout([...budget, lamports(vault, stranger, 5n), delivered], native)).toBe(0n)
      expect(yield* payout([...budget, lamports(vault, vault, 5n), delivered], { ...native, recipient: vault })).toBe(
        0n
      )
      expect(yield* payout([lamports(vault, recipient, 5n), delivered, lamports(recipient, vault, 5n)], native)).toBe(
        0n
      )
      expect(yield* payout([lamports(vault, recipient, 5n), delivered])).toBe(0n)
    })
  )

  it.effect("is found among the payments of a batch", () =>
    Effect.gen(function* () {
      const others = [
        transferOf({ source: vaultAccount, destination: strangersAccount, authority: vault, amount: 900n }),
        memoOf(`geoswap:0x${"1".repeat(64)}:delivered`),
        lamports(vault, recipient, 5n),
        memoOf(`geoswap:0x${"2".repeat(64)}:delivered`),
        transferOf({ source: relayer, mint: otherMint, destination: stranger, authority: vault, amount: 800n }),
        memoOf(`geoswap:0x${"3".repeat(64)}:delivered`)
      ]
      expect(yield* payout([...budget, ...others, payment, delivered])).toBe(700n)
      expect(yield* payout([...budget, payment, delivered, ...others])).toBe(700n)
      const native = [...budget, ...others, lamports(vault, recipient, 5n), delivered]
      expect(yield* payout(native, { token: sol })).toBe(5n)
    })
  )

  it.effect("is read at finalized commitment", () =>
    Effect.gen(function* () {
      const server = yield* Effect.promise(() => serve(nodeWith(landed(wireOf(honest)))))
      const reader = yield* SolanaReader.make({ rpcUrls: { [chainId]: server.url } })
      yield* reader.payout?.(query) ?? Effect.die("missing")
      expect(server.requests[1]).toContain(`getTransaction("${txHash}",{"commitment":"finalized"`)
    })
  )

  const back = transferOf({ source: recipientAccount, destination: vaultAccount, authority: recipient, amount: 700n })
  it.effect.each<readonly [string, ReadonlyArray<Instruction>]>([
    ["transfers nothing", [...budget, delivered]],
    ["starts with the memo", [delivered, payment]],
    ["has no memo", [...budget, payment]],
    ["has the memo of another order", [...budget, payment, memoOf(`geoswap:0x${"1".repeat(64)}:delivered`)]],
    ["has the memo of a refund", [...budget, payment, refunded]],
    ["has the memo of the input", [...budget, payment, orderMemo]],
    ["has more text in the memo", [...budget, payment, memoOf(`geoswap:${orderId}:delivered.`)]],
    ["has the memo in another program", [...budget, payment, memoOf(`geoswap:${orderId}:delivered`, stranger)]],
    ["has another memo in between", [...budget, payment, memoOf("geoswap"), delivered]],
    ["pays the vault", [...budget, input, delivered]],
    ["pays another account", paying({ destination: strangersAccount })],
    ["pays the account of the vault itself", paying({ destination: vaultAccount })],
    ["is from a stranger's own account", paying({ source: strangersAccount, authority: stranger })],
    ["is from a stranger as the vault's delegate", paying({ authority: stranger })],
    ["is from another account that the vault may use", paying({ source: strangersAccount })],
    ["moves the recipient's own tokens, with the vault as delegate", paying({ source: recipientAccount })],
    ["is in another token", paying({ mint: otherMint })],
    ["uses another token program", paying({ program: token2022 })],
    ["transfers back", [...honest, back]],
    [
      "transfers back, with the vault as delegate",
      [...honest, transferOf({ source: recipientAccount, destination: vaultAccount, authority: vault, amount: 700n })]
    ],
    ["transfers back first", [back, payment, delivered]],
    ["transfers back with another token program", [...honest, { ...back, programAddress: token2022 }]],
    [
      "uses a transfer that does not name the token",
      [
        getTransferInstruction({
          source: vaultAccount,
          destination: recipientAccount,
          authority: createNoopSigner(vault),
          amount: 700n
        }),
        delivered
      ]
    ],
    [
      "approves a delegate",
      [
        ...honest,
        getApproveInstruction({
          source: recipientAccount,
          delegate: stranger,
          owner: createNoopSigner(vault),
          amount: 1n
        })
      ]
    ],
    [
      "creates an account in another way",
      [
        getCreateAssociatedTokenInstruction({
          payer: createNoopSigner(relayer),
          ata: recipientAccount,
          owner: recipient,
          mint
        }),
        payment,
        delivered
      ]
    ],
    ["calls another program", [...honest, { programAddress: stranger, data: Uint8Array.of(1) }]],
    ["only pays inside another program", [...budget, { ...payment, programAddress: stranger }, delivered]],
    ["has less data than a transfer", [{ ...payment, data: Uint8Array.of(12, 1) }, delivered]],
    ["has more data than a transfer", [{ ...payment, data: Uint8Array.of(...(payment.data ?? []), 0) }, delivered]]
  ])("is 0 if the transaction %s", ([, instructions]) =>
    Effect.gen(function* () {
      expect(yield* payout(instructions)).toBe(0n)
    })
  )

  it.effect("is 0 if an account is from a lookup table, or the message is a legacy one", () =>
    Effect.gen(function* () {
      const tabled = wireWithTables({ [stranger]: [vaultAccount, mint, recipientAccount] }, honest)
      expect(yield* readPayout(landed(tabled))).toBe(0n)
      const elsewhere = transferOf({ source: vaultAccount, destination: strangersAccount, authority: vault })
      expect(yield* payout([...honest, elsewhere])).toBe(700n)
      expect(yield* readPayout(landed(wireWithTables({ [older]: [strangersAccount] }, [...honest, elsewhere])))).toBe(
        0n
      )
      const bytes = bytesOf(wireOf(honest))
      const version = 1 + 64 * (bytes[0] ?? 0)
      // A legacy message has neither a version byte at the start nor a number of tables at the end.
      const legacy = textOf(Uint8Array.from([...bytes.slice(0, version), ...bytes.slice(version + 1, -1)]))
      expect(yield* readPayout(landed(legacy))).toBe(0n)
      const version1 = textOf(Uint8Array.of(0x81, 2, 0, 1, ...new Uint8Array(300)))
      expect(yield* readPayout({ ...landed(wireOf(honest)), transaction: [version1, "base64"] })).toBe(0n)
      const newer = refusal(-32015, "Transaction version (2) is not supported by the requesting client.")
      expect(yield* readPayout(newer)).toBe(0n)
    })
  )

  it.effect("is 0 if the caller pinned no vault", () =>
    Effect.gen(function* () {
      expect(yield* payout(honest, { vaults: [] })).toBe(0n)
    })
  )

  it.effect("is the highest of two payments, and never their sum", () =>
    Effect.gen(function* () {
      const less = transferOf({ source: vaultAccount, destination: recipientAccount, authority: vault, amount: 5n })
      expect(yield* payout([less, delivered, payment, delivered, less, delivered])).toBe(700n)
    })
  )

  it.effect("is the amount that more than half of the nodes have seen", () =>
    Effect.gen(function* () {
      const [seen, behind] = [nodeWith(landed(wireOf(honest))), nodeWith(null)]
      for (const [scripts, expected] of [
        [[seen, behind, seen], 700n],
        [[behind, seen], 0n],
        [[behind, seen, behind], 0n]
      ] as const) {
        const servers = yield* Effect.promise(() => Promise.all(scripts.map(serve)))
        const reader = yield* SolanaReader.make({ rpcUrls: { [chainId]: servers.map(({ url }) => url) } })
        expect(yield* reader.payout?.(query) ?? Effect.die("missing")).toBe(expected)
      }
    })
  )

  const wire = wireOf(honest)
  it.effect.each<readonly [string, unknown]>([
    ["is unknown, pruned or not finalized", null],
    ["failed", landed(wire, { meta: { err: { InstructionError: [2, { Custom: 1 }] } } })],
    ["is from before the signature", landed(wire, { blockTime: paidAt - 1 })],
    ["has no time", landed(wire, { blockTime: null })],
    ["has text as its time", landed(wire, { blockTime: `${paidAt}` })],
    ["has a negative time", landed(wire, { blockTime: -1 })]
  ])("is 0 if the transaction %s", ([, answer]) =>
    Effect.gen(function* () {
      expect(yield* readPayout(answer)).toBe(0n)
    })
  )

  it.effect.each<readonly [string, unknown]>([
    ["another transaction", landed(wire, { transaction: [signed(wire, 8), "base64"] })],
    ["a transaction without signatures", landed(wire, { transaction: [wire, "base64"] })],
    ["no transaction", landed(wire, { transaction: undefined })],
    ["a transaction in JSON", landed(wire, { transaction: { signatures: [txHash], message: {} } })],
    ["a transaction in another encoding", landed(wire, { transaction: [signed(wire), "base58"] })],
    ["a list with a length that is too large", landed(wire, { transaction: { length: 2 ** 53 } })],
    ["a very long list", landed(wire, { transaction: { length: 2 ** 32 - 1 } })],
    ["invalid base64", landed(wire, { transaction: ["?", "base64"] })],
    ["a part of a transaction", landed(wire, { transaction: [signed(wire).slice(0, 300), "base64"] })],
    ["no metadata", landed(wire, { meta: null })],
    ["no result", landed(wire, { meta: {} })],
    ["text", "transaction"],
    ["an error", refusal(-32009, "Slot was skipped")]
  ])("is unknown if the node returns %s", ([, answer]) =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(readPayout(answer))).toMatchObject({ _tag: "ReaderError" })
    })
  )

  it.effect.each<readonly [string, Partial<ChainReader.PayoutQuery>]>([
    ["transaction", { txHash: "0x12" }],
    ["order", { orderId: "delivered" }],
    ["vault", { vaults: [vault, "0x12"] }],
    ["recipient", { recipient: "0x12" }],
    ["token", { token: "USDC" }],
    ["time", { since: Number.NaN }]
  ])("is not requested for an invalid %s", ([, invalid]) =>
    Effect.gen(function* () {
      const server = yield* Effect.promise(() => serve(nodeWith(landed(wire))))
      const reader = yield* SolanaReader.make({ rpcUrls: { [chainId]: server.url } })
      const error = yield* Effect.flip(reader.payout?.({ ...query, ...invalid }) ?? Effect.die("missing"))
      expect(error).toMatchObject({ _tag: "ReaderError" })
      expect(error.message).toContain("query")
      expect(server.requests).toEqual([])
    })
  )
})
