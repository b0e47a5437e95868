/** What a node shows about a payment, and what is not a payment for the order. */
import { afterEach, describe, expect, it } from "@effect/vitest"
import { Chain, type ChainReader, type SwapError } from "@geoswap/core"
import * as Hash from "ox/Hash"
import * as Hex from "ox/Hex"
import { rejection } from "../../../tooling/testing/expectError.ts"
import { closeServers, refusal, type Script, serve } from "../../../tooling/testing/rpcServer.ts"
import { evmReader } from "../src/index.js"
import { address } from "./wallets.js"

afterEach(closeServers)

const chainId = 8453
const vault = "0x1c85638e118b37167e9298c2268758e058ddfda0"
const older = "0x5aa2e2b6b1c9d7e1c1f0a87f6d4b3c2d1e0f9a8b"
const stranger = "0x9a1fc8c0369d49f3040bf49c1490e7006657ea56"
const token = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"
const orderId = Hash.keccak256("0x01")
const txHash = Hash.keccak256("0x02")
const blockHash = Hash.keccak256("0x03")
const other = Hash.keccak256("0x04")
const paidAt = 1_800_000_000

const word = (value: bigint) => Hex.fromNumber(value, { size: 32 })
const padded = (of: string) => Hex.padLeft(of.toLowerCase() as Hex.Hex, 32)
const topicOf = (name: string) => Hash.keccak256(Hex.fromString(`${name}(bytes32,address,address,uint256)`))

const query: ChainReader.PayoutQuery = {
  kind: "delivery",
  chainId,
  txHash,
  orderId,
  vaults: [vault, older],
  recipient: address,
  token,
  since: paidAt * 1000
}

const topics = [topicOf("Delivered"), orderId, padded(address), padded(token)]
const event = { address: vault, blockHash, transactionHash: txHash, topics, data: word(700n), removed: false }
const receipt = { transactionHash: txHash, blockHash, blockNumber: "0x64", status: "0x1", logs: [event] as unknown }
const block = { hash: blockHash, number: "0x64", timestamp: Hex.fromNumber(paidAt) }
const finalized = { hash: other, number: "0x70", timestamp: Hex.fromNumber(paidAt + 60) }

interface Answers {
  readonly receipt: unknown
  readonly block: unknown
  readonly finalized: unknown
}

const nodeWith = (change: Partial<Answers> = {}): Script => {
  const answers: Answers = { receipt, block, finalized, ...change }
  return {
    eth_chainId: () => "0x2105",
    eth_getTransactionReceipt: () => answers.receipt,
    eth_getBlockByNumber: ([at]) => (at === "finalized" ? answers.finalized : answers.block)
  }
}

const readPayout = async (asked: ChainReader.PayoutQuery, script: Script): Promise<bigint> => {
  const { url } = await serve(script)
  return evmReader({ rpcUrls: { [chainId]: url } }).payout?.(asked) ?? expect.fail("missing")
}
const payout = (change: Partial<Answers> = {}, asked: Partial<ChainReader.PayoutQuery> = {}) =>
  readPayout({ ...query, ...asked }, nodeWith(change))
const withLogs = (...logs: ReadonlyArray<unknown>) => ({ receipt: { ...receipt, logs } })

describe("the payout of a transaction", () => {
  it("is the amount that a pinned vault delivered or refunded", async () => {
    expect(await payout()).toBe(700n)
    expect(await payout(withLogs({ ...event, address: older.toUpperCase().replace("X", "x") }))).toBe(700n)
    const refunded = { ...event, topics: [topicOf("Refunded"), ...topics.slice(1)] }
    expect(await payout(withLogs(refunded), { kind: "refund" })).toBe(700n)
    const native = { ...event, topics: [...topics.slice(0, 3), word(0n)] }
    expect(await payout(withLogs(native), { token: Chain.nativeToken.evm })).toBe(700n)
  })

  it("is read from the receipt and the block with its number, below the finalized block", async () => {
    const server = await serve(nodeWith())
    await evmReader({ rpcUrls: { [chainId]: server.url } }).payout?.(query)
    expect(server.requests.slice(1)).toEqual([
      `eth_getTransactionReceipt("${txHash}")`,
      'eth_getBlockByNumber("finalized",false)',
      'eth_getBlockByNumber("0x64",false)'
    ])
  })

  it("is found among other events", async () => {
    const transfer = { ...event, address: token, topics: [other, padded(vault), padded(address)] }
    expect(await payout(withLogs(transfer, { ...event, topics: [topics[0], other] }, event, null, "log"))).toBe(700n)
  })

  it("does not add the amounts of two events", async () => {
    expect(await payout(withLogs(event, { ...event, data: word(900n), address: older }, event))).toBe(900n)
  })

  it.each<[string, object]>([
    ["another contract", { address: stranger }],
    ["no contract", { address: undefined }],
    ["a refund", { topics: [topicOf("Refunded"), ...topics.slice(1)] }],
    ["another event", { topics: [other, ...topics.slice(1)] }],
    ["another order", { topics: topics.with(1, other) }],
    ["another recipient", { topics: topics.with(2, padded(stranger)) }],
    ["a recipient with more bytes than an address", { topics: topics.with(2, `0x01${padded(address).slice(4)}`) }],
    ["another token", { topics: topics.with(3, padded(stranger)) }],
    ["a missing topic", { topics: topics.slice(0, 3) }],
    ["an additional topic", { topics: [...topics, other] }],
    ["topics that are not a list", { topics: Object.fromEntries(topics.entries()) }],
    ["no amount", { data: "0x" }],
    ["more data than an amount", { data: `${word(700n)}00` }],
    ["a number as data", { data: 700 }],
    ["a block that was reorged out", { removed: true }],
    ["another transaction", { transactionHash: other }],
    ["another block", { blockHash: other }]
  ])("is 0 for an event of %s", async (_, change) => {
    expect(await payout(withLogs({ ...event, ...change }))).toBe(0n)
  })

  it("is 0 if the caller pinned no vault", async () => {
    expect(await payout({}, { vaults: [] })).toBe(0n)
  })

  it.each<[string, Partial<Answers>]>([
    ["is unknown or pruned", { receipt: null }],
    ["is pending", { receipt: { ...receipt, blockNumber: null, blockHash: null } }],
    ["was reverted", { receipt: { ...receipt, status: "0x0" } }],
    ["is in a block above the finalized block", { finalized: { ...finalized, number: "0x63" } }],
    ["is in a block that was reorged out", { block: { ...block, hash: other } }],
    ["is in a block from before the signature", { block: { ...block, timestamp: Hex.fromNumber(paidAt - 1) } }]
  ])("is 0 if the transaction %s", async (_, change) => {
    expect(await payout(change)).toBe(0n)
  })

  it("counts in the finalized block itself", async () => {
    expect(await payout({ finalized: block })).toBe(700n)
  })

  it.each<[string, Partial<Answers>]>([
    ["another transaction's receipt", { receipt: { ...receipt, transactionHash: other } }],
    ["a receipt without a transaction", { receipt: { ...receipt, transactionHash: undefined } }],
    ["a receipt without a block", { receipt: { ...receipt, blockHash: undefined } }],
    ["a receipt without a number", { receipt: { ...receipt, blockNumber: undefined } }],
    ["a receipt with a number that is too long", { receipt: { ...receipt, blockNumber: `0x${"0".repeat(70)}64` } }],
    ["a receipt with a decimal number", { receipt: { ...receipt, blockNumber: 100 } }],
    ["a receipt without a status", { receipt: { ...receipt, status: undefined } }],
    ["a receipt without events", { receipt: { ...receipt, logs: null } }],
    ["events that are not a list", { receipt: { ...receipt, logs: { 0: event, length: 1 } } }],
    ["text as the receipt", { receipt: "0x" }],
    ["no finalized block", { finalized: null }],
    ["an error for the finalized block", { finalized: refusal(-32602, "unknown block tag") }],
    ["a finalized block without a number", { finalized: { ...finalized, number: undefined } }],
    ["no block", { block: null }],
    ["a block without a hash", { block: { ...block, hash: undefined } }],
    ["a block with another number", { block: { ...block, number: "0x65" } }],
    ["a block without a time", { block: { ...block, timestamp: undefined } }],
    ["a block with a time that is too large", { block: { ...block, timestamp: word(2n ** 256n - 1n) } }]
  ])("is unknown if the node returns %s", async (_, change) => {
    expect(await rejection(payout(change))).toMatchObject({ _tag: "ReaderError" })
  })

  it("is the amount that more than half of the nodes have seen", async () => {
    const readWith = async (...scripts: ReadonlyArray<Script>) => {
      const servers = await Promise.all(scripts.map(serve))
      return evmReader({ rpcUrls: { [chainId]: servers.map(({ url }) => url) } }).payout?.(query)
    }
    const [honest, behind, lying] = [
      nodeWith(),
      nodeWith({ receipt: null }),
      nodeWith(withLogs({ ...event, data: word(9_000n) }))
    ]
    expect(await readWith(honest, behind, honest)).toBe(700n)
    expect(await readWith(honest, honest, lying)).toBe(700n)
    expect(await readWith(behind, lying)).toBe(0n)
    expect(await rejection(readWith({}, lying))).toMatchObject({ _tag: "ReaderError" })
  })

  it.each<[string, Partial<ChainReader.PayoutQuery>]>([
    ["transaction", { txHash: "0x12" }],
    ["order", { orderId: "0x12" }],
    ["vault", { vaults: [vault, "0x12"] }],
    ["recipient", { recipient: "0x12" }],
    ["token", { token: "USDC" }],
    ["time", { since: Number.NaN }]
  ])("is not requested for an invalid %s", async (_, invalid) => {
    const server = await serve(nodeWith())
    const reader = evmReader({ rpcUrls: { [chainId]: server.url } })
    const error = (await rejection(
      reader.payout?.({ ...query, ...invalid }) ?? Promise.resolve()
    )) as SwapError.ReaderError
    expect(error.message).toContain("query")
    expect(server.requests).toEqual([])
  })
})
