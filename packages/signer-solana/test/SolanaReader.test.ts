import { afterEach, describe, expect, it } from "@effect/vitest"
import { Chain, type SwapError } from "@geoswap/core"
import { address, type Blockhash, blockhash, getAddressEncoder, type Instruction } from "@solana/kit"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { rejection, thrown } from "../../../tooling/testing/expectError.ts"
import { closeServers, refusal, type Script, secret, serve } from "../../../tooling/testing/rpcServer.ts"
import { SolanaReader, solanaReader, type SolanaReaderOptions } from "../src/index.js"
import { walletKey } from "./keys.js"
import { bytesOf, honest, limit, memoText, price, textOf, token2022, transfer, wallet, wireOf } from "./transactions.js"

afterEach(closeServers)

const chainId = Chain.solanaMainnet
const mainGenesis = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"
const testGenesis = "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY"
const recent = blockhash("EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N")
const otherRecent = blockhash("AoVsGaj8MSJ6xwKxfFxo9iZWH3enC8RRTXKH2fx2F8os")

/** The time of the signature, in Unix milliseconds. */
const signedAt = 1_800_000_000_000

const key = walletKey()

/** A transaction as signed by the wallet, or with a new signature of the fee payer. */
const signedOf = (instructions: ReadonlyArray<Instruction> = honest, hash: Blockhash = recent, payer = 0): string => {
  const bytes = bytesOf(wireOf(instructions, undefined, hash))
  bytes.set(key.sign(bytes.slice(129)), 65)
  bytes.fill(payer, 1, 65)
  return textOf(bytes)
}
const signedTransaction = signedOf()

interface Entry {
  readonly text: string
  readonly time: number | null
  readonly err?: unknown
  readonly memo?: string | null
}

/** The state of a scripted node. Times are in Unix milliseconds. */
interface NodeState {
  slot: number
  time: number
  /** The blockhashes that are valid at the newest block, and at the newest finalized block. */
  processed: Array<string>
  finalized: Array<string>
  /** The transactions of the wallet, newest first. */
  history: Array<Entry>
  first: { readonly slot: number; readonly time: number }
}

const nodeState = (over: Partial<NodeState> = {}): NodeState => ({
  slot: 10_000,
  time: signedAt + 5_000,
  processed: [],
  finalized: [],
  history: [],
  first: { slot: 400, time: signedAt - 3_600_000 },
  ...over
})

/** The same state at a time when the transaction can have expired. */
const late = (over: Partial<NodeState> = {}) => nodeState({ time: signedAt + 320_000, ...over })

const nameOf = (index: number) => `${"5".repeat(70)}${String(index).replaceAll("0", "A").padStart(8, "B")}`
const indexOf = (name: unknown) => Number(String(name).slice(70).replaceAll("B", "").replaceAll("A", "0"))

/** A mainnet node with this state, and with other responses for some methods. */
const nodeOf = (state: NodeState, faults: Script = {}): Script => ({
  getGenesisHash: () => mainGenesis,
  // Many slots have no block.
  getEpochInfo: () => ({ absoluteSlot: state.slot, blockHeight: state.slot - 350 }),
  getBlockTime: ([slot]) => Math.floor((slot === state.first.slot ? state.first.time : state.time) / 1000),
  isBlockhashValid: ([hash, options]) => {
    const { commitment } = options as { readonly commitment: "processed" | "finalized" }
    const slot = state.slot + (commitment === "processed" ? 32 : 0)
    return { context: { slot }, value: state[commitment].includes(String(hash)) }
  },
  getSignaturesForAddress: ([of, options]) => {
    expect(of).toBe(wallet)
    const {
      before,
      commitment,
      limit: most
    } = options as {
      readonly before?: string
      readonly commitment: string
      readonly limit: number
    }
    expect(commitment).toBe("finalized")
    const start = before === undefined ? 0 : indexOf(before) + 1
    return state.history.slice(start, start + most).map(({ err = null, memo, time }, index) => ({
      signature: nameOf(start + index),
      slot: state.slot,
      err,
      memo: memo === undefined ? `[${memoText.length}] ${memoText}` : memo,
      blockTime: time === null ? null : Math.floor(time / 1000),
      confirmationStatus: "finalized"
    }))
  },
  getTransaction: ([name]) => {
    const { err = null, text } = state.history[indexOf(name)] ?? { text: "" }
    return { slot: state.slot, transaction: [text, "base64"], meta: { err } }
  },
  getFirstAvailableBlock: () => state.first.slot,
  ...faults
})

const readerOf = (...scripts: ReadonlyArray<Script>) =>
  Effect.gen(function* () {
    const servers = yield* Effect.promise(() => Promise.all(scripts.map(serve)))
    yield* TestClock.setTime(signedAt + 330_000)
    const reader = yield* SolanaReader.make({ rpcUrls: { [chainId]: servers.map(({ url }) => url) } })
    const query = { chainId, signedTransaction, signedAt }
    return { servers, reader, state: reader.transactionState(query), query }
  })

const stateWith = (...scripts: ReadonlyArray<Script>) => Effect.flatMap(readerOf(...scripts), ({ state }) => state)

/** The error message, after checking that it contains no part of a URL. */
const failureOf = <A>(answer: Effect.Effect<A, SwapError.ReaderError | SwapError.InvalidInput>) =>
  Effect.map(Effect.flip(answer), (error) => {
    expect(error).toMatchObject({ _tag: "ReaderError", retry: "later" })
    for (const message of [error.message, JSON.stringify(error), String(error.stack)]) {
      expect(message).not.toMatch(/k3y|v2|token=|127\.0\.0\.1|http:/)
    }
    return error.message
  })

describe("transactionState", () => {
  it.effect("returns used if it landed with a fee payer signature that the caller never saw", () =>
    Effect.gen(function* () {
      const landed = signedOf(honest, recent, 0xaa)
      expect(landed).not.toBe(signedTransaction)
      for (const memo of [undefined, null, `[4] else; [${memoText.length}] ${memoText}`]) {
        const history = [{ text: landed, time: signedAt + 20_000, ...(memo !== undefined && { memo }) }]
        expect(yield* stateWith(nodeOf(nodeState({ history, processed: [recent] })))).toBe("used")
      }
    })
  )

  it.effect("finds a transaction by its message if the journal stored it without signatures", () =>
    Effect.gen(function* () {
      const bytes = bytesOf(signedTransaction)
      bytes.fill(0, 1, 129)
      const empty = textOf(bytes)
      const stateOf = (state: NodeState) =>
        Effect.flatMap(readerOf(nodeOf(state)), ({ reader, query }) =>
          reader.transactionState({ ...query, signedTransaction: empty })
        )
      const history = [{ text: signedOf(honest, recent, 0xaa), time: signedAt + 20_000 }]
      expect(yield* stateOf(nodeState({ history, processed: [recent] }))).toBe("used")
      expect(yield* stateOf(late({ processed: [recent] }))).toBe("open")
      expect(yield* stateOf(late())).toBe("expired")
    })
  )

  it.effect("returns expired immediately if it landed and failed", () =>
    Effect.gen(function* () {
      const err = { InstructionError: [2, { Custom: 1 }] }
      const history = [{ text: signedOf(honest, recent, 0xaa), time: signedAt, err }]
      expect(yield* stateWith(nodeOf(nodeState({ history, processed: [recent], finalized: [recent] })))).toBe("expired")
    })
  )

  it.effect("returns open while its blockhash is valid at any commitment", () =>
    Effect.gen(function* () {
      for (const known of [{ processed: [recent] }, { finalized: [recent] }]) {
        expect(yield* stateWith(nodeOf(late(known)))).toBe("open")
      }
    })
  )

  it.effect(
    "returns expired if a finalized block is five minutes past the signature and the blockhash is invalid",
    () =>
      Effect.gen(function* () {
        expect(yield* stateWith(nodeOf(nodeState({ time: signedAt + 299_000 })))).toBe("open")
        expect(yield* stateWith(nodeOf(nodeState({ time: signedAt + 300_000 })))).toBe("expired")
      })
  )

  it.effect("returns open if the blockhash may be too new for the node", () =>
    Effect.gen(function* () {
      // The service uses the newest blockhash and refuses immediately. The node does not have that block yet.
      expect(yield* stateWith(nodeOf(nodeState()))).toBe("open")
      // The node is stuck or lags: its blocks are older than the signature.
      const { state } = yield* readerOf(nodeOf(nodeState({ time: signedAt - 60_000 })))
      yield* TestClock.adjust(3_600_000)
      expect(yield* state).toBe("open")
    })
  )

  it.effect("returns open if signedAt is unknown", () =>
    Effect.gen(function* () {
      const { reader } = yield* readerOf(nodeOf(late()))
      expect(yield* reader.transactionState({ chainId, signedTransaction })).toBe("open")
    })
  )

  it.effect("fails if the node has a block from the future", () =>
    Effect.gen(function* () {
      const { state } = yield* readerOf(nodeOf(nodeState({ time: signedAt + 3_600_000 })))
      expect(yield* failureOf(state)).toContain("clock")
    })
  )

  it.effect("returns used if the node indexes the transaction after the blockhash check", () =>
    Effect.gen(function* () {
      const state = late()
      const node = nodeOf(state, {
        getFirstAvailableBlock: () => {
          state.history = [{ text: signedOf(honest, recent, 1), time: signedAt + 30_000 }]
          return state.first.slot
        }
      })
      expect(yield* stateWith(node)).toBe("used")
    })
  )

  it.effect("returns open forever if the transaction uses a durable nonce", () =>
    Effect.gen(function* () {
      const advance: Instruction = {
        programAddress: address(Chain.nativeToken.solana),
        accounts: [],
        data: Uint8Array.from([4, 0, 0, 0])
      }
      const state = late()
      const { reader } = yield* readerOf(nodeOf(state))
      const durable = signedOf([advance, limit, price, transfer])
      const read = reader.transactionState({ chainId, signedTransaction: durable, signedAt })
      expect(yield* read).toBe("open")
      state.history = [{ text: durable, time: signedAt, memo: null }]
      expect(yield* read).toBe("used")
    })
  )

  it.effect("ignores other transactions of every version, and even of versions that do not exist yet", () =>
    Effect.gen(function* () {
      const ours = { text: signedOf(honest, recent, 1), time: signedAt + 1_000 }
      const version1 = { text: textOf(Uint8Array.of(0x81, 1, 0, 1, ...new Uint8Array(200))), memo: null, time: null }
      const undecodable = { text: textOf(Uint8Array.of(1, ...new Uint8Array(64), 0x7f, 0xff)), memo: null, time: null }
      const newer = { text: "", memo: null, time: null }
      const others = [version1, undecodable, newer]
      const stateOf = (state: NodeState, message: string) => {
        const { getTransaction = () => null } = nodeOf(state)
        const answer: Script[string] = (params) => {
          expect(params[1]).toMatchObject({ maxSupportedTransactionVersion: 1 })
          return state.history[indexOf(params[0])]?.text === "" ? refusal(-32015, message) : getTransaction(params)
        }
        return stateWith(nodeOf(state, { getTransaction: answer }))
      }
      const refused = (version: number) => `Transaction version (${version}) is not supported by the requesting client.`
      expect(yield* stateOf(late({ history: [...others, ours] }), refused(2))).toBe("used")
      expect(yield* stateOf(late({ history: others }), refused(2))).toBe("expired")
      // A node that refuses versions that the reader supports could hide the transaction.
      for (const message of [refused(0), refused(1), "", "Transaction version is not supported"]) {
        expect(yield* failureOf(stateOf(late({ history: others }), message))).toContain("JSON-RPC error -32015")
      }
    })
  )

  it.effect("ignores another transaction with the same memo", () =>
    Effect.gen(function* () {
      const history = [{ text: signedOf(honest, otherRecent, 1), time: signedAt + 1_000 }]
      expect(yield* stateWith(nodeOf(late({ history })))).toBe("expired")
    })
  )

  it.effect("refuses values that are not a transaction", () =>
    Effect.gen(function* () {
      const { query, reader, servers } = yield* readerOf(nodeOf(nodeState()))
      for (const signedTransaction of ["", "AAAA", "?", `${query.signedTransaction}AAAA`]) {
        expect(yield* failureOf(reader.transactionState({ ...query, signedTransaction }))).toContain("query")
      }
      expect(yield* failureOf(reader.transactionState({ ...query, signedAt: NaN }))).toContain("query")
      expect(yield* failureOf(reader.transactionState({ ...query, chainId: 5 }))).toContain(
        "No node is configured for chain 5"
      )
      expect(servers[0]?.requests).toEqual([])
    })
  )
})

describe("the history of a node", () => {
  it.effect("must start before the transaction was signed", () =>
    Effect.gen(function* () {
      const startingAt = (time: number, faults: Script = {}) =>
        stateWith(nodeOf(late({ first: { slot: 9_000, time } }), faults))
      expect(yield* startingAt(signedAt - 120_000)).toBe("expired")
      for (const time of [signedAt + 60_000, signedAt, signedAt - 30_000]) {
        expect(yield* failureOf(startingAt(time))).toContain("more history")
      }
      yield* failureOf(startingAt(signedAt - 120_000, { getFirstAvailableBlock: () => null }))
    })
  )

  it.effect("may start later if the network does", () =>
    Effect.gen(function* () {
      // As many slots as the network has blocks.
      expect(yield* stateWith(nodeOf(late({ first: { slot: 351, time: signedAt } })))).toBe("expired")
      const whole = { getFirstAvailableBlock: () => 0, getBlocksWithLimit: () => [0, 1] }
      expect(yield* stateWith(nodeOf(late(), whole))).toBe("expired")
      const fromSnapshot = { getFirstAvailableBlock: () => 0, getBlocksWithLimit: () => [0] }
      expect(yield* failureOf(stateWith(nodeOf(late(), fromSnapshot)))).toContain("more history")
    })
  )

  it.effect("must not be empty", () =>
    Effect.gen(function* () {
      const off = { getSignaturesForAddress: () => refusal(-32011, "Transaction history is not available") }
      expect(yield* failureOf(stateWith(nodeOf(late(), off)))).toContain("rejected getSignaturesForAddress")
    })
  )

  it.effect("is searched back to the time of the signature", () =>
    Effect.gen(function* () {
      const dust = (count: number, time: number) =>
        Array.from({ length: count }, () => ({ text: signedTransaction, time, memo: "[4] dust" }))
      const ours = { text: signedOf(honest, recent, 7), time: signedAt + 5_000 }
      const history = [...dust(2_500, signedAt + 90_000), ours, ...dust(50, signedAt - 120_000)]
      expect(yield* stateWith(nodeOf(nodeState({ history })))).toBe("used")

      const { servers, state } = yield* readerOf(nodeOf(nodeState({ history: dust(1_000, signedAt - 120_000) })))
      expect(yield* state).toBe("open")
      expect(servers[0]?.requests.filter((each) => each.startsWith("getSignaturesForAddress"))).toHaveLength(1)
    })
  )

  it.effect("fails the read if it is too long to search", () =>
    Effect.gen(function* () {
      const endless = { text: "", time: signedAt + 90_000, memo: "[4] dust" }
      const long = nodeState({ history: Array.from({ length: 10_001 }, () => endless) })
      expect(yield* failureOf(stateWith(nodeOf(long)))).toContain("too many")
      const unnamed = { text: signedOf(honest, otherRecent), time: null, memo: null }
      const busy = nodeState({ history: Array.from({ length: 201 }, () => unnamed) })
      expect(yield* failureOf(stateWith(nodeOf(busy)))).toContain("too many")
    })
  )
})

describe("a faulty node", () => {
  const inContext =
    (value: unknown, slot: unknown = 20_000) =>
    () => ({ context: { slot }, value })
  const landed = nodeState({ history: [{ text: signedOf(honest, recent, 1), time: signedAt }] })

  it.effect("fails the read", () =>
    Effect.gen(function* () {
      const faults: ReadonlyArray<Script> = [
        { getGenesisHash: () => null },
        { getEpochInfo: () => ({ absoluteSlot: "10000", blockHeight: 1 }) },
        { getEpochInfo: () => null },
        { getBlockTime: () => null },
        { getBlockTime: () => -1 },
        { isBlockhashValid: inContext("false") },
        { isBlockhashValid: inContext(undefined) },
        { isBlockhashValid: inContext(false, 9_999) },
        { isBlockhashValid: () => refusal(-32016, "Minimum context slot has not been reached") },
        { getSignaturesForAddress: () => null },
        { getSignaturesForAddress: () => ({}) },
        { getSignaturesForAddress: () => [null] },
        { getSignaturesForAddress: () => [{ signature: "short", err: null }] },
        { getSignaturesForAddress: () => [{ signature: nameOf(1) }] },
        { getSignaturesForAddress: () => [{ signature: nameOf(1), err: null, blockTime: "now" }] },
        { getSignaturesForAddress: () => [{ signature: nameOf(1), err: null, memo: 5 }] },
        { getSignaturesForAddress: () => refusal(-32016, "Minimum context slot has not been reached") }
      ]
      for (const fault of faults) yield* failureOf(stateWith(nodeOf(late(), fault)))
    })
  )

  it.effect("fails the read if it does not return a listed transaction", () =>
    Effect.gen(function* () {
      const text = signedOf(honest, recent, 1)
      const shown: ReadonlyArray<unknown> = [
        null,
        { transaction: text, meta: { err: null } },
        { transaction: [text, "base58"], meta: { err: null } },
        { transaction: [text, "base64"], meta: null },
        { transaction: [text, "base64"], meta: {} },
        { transaction: [text, "base64"], meta: { err: "BlockhashNotFound" } },
        { transaction: ["AAAA", "base64"], meta: { err: null } },
        { transaction: ["?", "base64"], meta: { err: null } }
      ]
      for (const answer of shown) yield* failureOf(stateWith(nodeOf(landed, { getTransaction: () => answer })))
    })
  )

  it.effect("is refused if it is of another network", () =>
    Effect.gen(function* () {
      const otherNetwork = { getGenesisHash: () => testGenesis }
      expect(yield* failureOf(stateWith(nodeOf(nodeState(), otherNetwork)))).toContain("a different Solana network")

      const test = 792703810
      const { url } = yield* Effect.promise(() => serve(nodeOf(nodeState({ processed: [recent] }), otherNetwork)))
      const { url: main } = yield* Effect.promise(() => serve(nodeOf(nodeState({ processed: [recent] }))))
      const ask = (options: Partial<SolanaReaderOptions>) =>
        Effect.flatMap(SolanaReader.make({ rpcUrls: { [test]: url }, ...options }), (reader) =>
          reader.transactionState({ chainId: test, signedTransaction, signedAt })
        )
      expect(yield* ask({})).toBe("open")
      expect(yield* ask({ genesisHashes: { [test]: testGenesis } })).toBe("open")
      yield* failureOf(ask({ genesisHashes: { [test]: otherRecent } }))
      yield* failureOf(ask({ rpcUrls: { [test]: main } }))
    })
  )

  it.effect("does not decide alone: a quorum has to agree, and nodes must not contradict each other", () =>
    Effect.gen(function* () {
      const failed = nodeState({
        history: [{ text: signedOf(honest, recent, 1), time: signedAt, err: "AccountInUse" }]
      })
      const open = nodeState({ processed: [recent] })
      const dead: Script = {}
      expect(yield* stateWith(nodeOf(landed), nodeOf(landed))).toBe("used")
      expect(yield* stateWith(nodeOf(landed), nodeOf(open))).toBe("open")
      expect(yield* stateWith(nodeOf(failed), nodeOf(open))).toBe("open")
      expect(yield* stateWith(dead, nodeOf(landed), nodeOf(landed))).toBe("used")
      expect(yield* stateWith(nodeOf(failed), nodeOf(open), nodeOf(failed))).toBe("expired")
      yield* failureOf(stateWith(dead, nodeOf(landed)))
      expect(yield* failureOf(stateWith(nodeOf(landed), nodeOf(failed)))).toContain(
        "node 1 reports used; node 2 reports expired"
      )
      expect(yield* failureOf(stateWith(dead, dead))).toContain(
        "node 2 rejected getGenesisHash with JSON-RPC error -32601"
      )
    })
  )
})

describe("token", () => {
  const usdc = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
  const tokenProgram = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"
  const mintOf = (decimals: number, size = 82, change: Readonly<Record<number, number>> = {}) => {
    const data = new Uint8Array(size)
    data.set(getAddressEncoder().encode(wallet), 4)
    data[44] = decimals
    data[45] = 1
    for (const [at, byte] of Object.entries(change)) data[Number(at)] = byte
    return data
  }
  const account = (data: Uint8Array, owner = tokenProgram): unknown => ({
    context: { slot: 1 },
    value: { data: [textOf(data), "base64"], owner, lamports: 1 }
  })
  const factsOf = (...answers: ReadonlyArray<unknown>) =>
    Effect.flatMap(
      readerOf(...answers.map((answer) => nodeOf(nodeState(), { getAccountInfo: () => answer }))),
      ({ reader }) => reader.token({ chainId, address: usdc })
    )

  it.effect("returns the decimals of a mint for both token programs", () =>
    Effect.gen(function* () {
      expect(yield* factsOf(account(mintOf(6)))).toEqual({ decimals: 6 })
      expect(yield* factsOf(account(mintOf(9), token2022))).toEqual({ decimals: 9 })
      expect(yield* factsOf(account(mintOf(0, 300, { 165: 1 }), token2022))).toEqual({ decimals: 0 })
    })
  )

  it.effect("fails if the account is not a mint", () =>
    Effect.gen(function* () {
      const others = [
        { context: { slot: 1 }, value: null },
        { context: { slot: 1 } },
        { context: { slot: 1 }, value: { data: ["?", "base64"], owner: tokenProgram } },
        { context: { slot: 1 }, value: { data: "AAAA", owner: tokenProgram } },
        account(mintOf(6), wallet),
        account(mintOf(6, 165)),
        account(mintOf(6, 300, { 165: 1 })),
        account(mintOf(6, 300, { 165: 2 }), token2022),
        account(mintOf(6, 165), token2022),
        account(mintOf(6, 82, { 45: 0 })),
        account(mintOf(78)),
        account(new Uint8Array()),
        null
      ]
      for (const other of others) yield* failureOf(factsOf(other))
      const { reader } = yield* readerOf(nodeOf(nodeState()))
      expect(yield* failureOf(reader.token({ chainId, address: "0x12" }))).toContain("query")
    })
  )

  it.effect("fails if two nodes disagree", () =>
    Effect.gen(function* () {
      const message = yield* failureOf(factsOf(account(mintOf(6)), account(mintOf(9))))
      expect(message).toContain("node 1 reports 6 decimals; node 2 reports 9 decimals")
    })
  )
})

describe("options", () => {
  it("are refused with the name of the invalid option and without the URL", () => {
    const field = `rpcUrls[${chainId}]`
    const refusals: ReadonlyArray<readonly [options: unknown, field: string]> = [
      [undefined, "rpcUrls"],
      [{ rpcUrls: [secret] }, "rpcUrls"],
      [{ rpcUrls: { main: secret } }, "rpcUrls"],
      [{ rpcUrls: { [chainId]: [] } }, field],
      [{ rpcUrls: { [chainId]: secret } }, field],
      [{ rpcUrls: { [chainId]: `http://node.example/${secret}` } }, field],
      [{ rpcUrls: { [chainId]: `https://user:${secret}@node.example` } }, field],
      [{ rpcUrls: { [chainId]: [`https://node.example/${secret}`, `https://node.example/${secret}`] } }, field],
      [{ rpcUrls: {}, timeout: 1.5 }, "timeout"],
      [{ rpcUrls: {}, fetch: 5 }, "fetch"],
      [{ rpcUrls: {}, genesisHashes: testGenesis }, "genesisHashes"],
      [Object.defineProperty({}, "rpcUrls", { get: () => JSON.parse(secret) as unknown }), "options"]
    ]
    for (const [options, wrong] of refusals) {
      const error = thrown(() => solanaReader(options as SolanaReaderOptions)) as SwapError.InvalidInput
      expect(error).toMatchObject({ _tag: "InvalidInput", field: wrong })
      expect(error.message).not.toContain(secret)
    }
  })

  it("may replace fetch, and printing the reader does not show a URL", async () => {
    const fetch = () => Promise.reject(new TypeError(`fetch failed: https://node.example/${secret}`))
    const reader = solanaReader({ rpcUrls: { [chainId]: `https://node.example/${secret}` }, fetch })
    const error = (await rejection(reader.transactionState({ chainId, signedTransaction }))) as Error
    const shown = [error.message, error.stack, JSON.stringify(reader), ...Object.values(reader).map(String)]
    expect(shown.join()).not.toMatch(/k3y|node\.example/)
  })

  it("let a read stop with the caller's signal", async () => {
    const caller = new AbortController()
    const fetch = (_: string, { signal }: RequestInit) =>
      new Promise<Response>((_, reject) => {
        signal?.addEventListener("abort", () => reject(new Error("aborted")))
        caller.abort(new Error("enough"))
      })
    const reader = solanaReader({ rpcUrls: { [chainId]: "https://node.example" }, fetch })
    const asking = reader.transactionState({ chainId, signedTransaction }, { signal: caller.signal })
    await expect(asking).rejects.toThrow("enough")
  })
})
