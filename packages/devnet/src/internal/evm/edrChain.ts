/** An EVM chain on EDR that speaks anvil's dialect: mining, reorgs, the pool, tags and the methods that EDR lacks. */
import { randomBytes } from "node:crypto"
import { invalidParams, RpcError } from "../rpcError.js"
import { createAccessList } from "./accessList.js"
import { admit } from "./admission.js"
import { makeArbitrum } from "./arbitrum.js"
import { keepBaseFee } from "./baseFee.js"
import { type EdrProvider, makeProvider } from "./edrProvider.js"
import { nodeError } from "./nodeErrors.js"
import { dropInsolvent, makeOpStack } from "./opStack.js"
import { type FinalityTags, plain, type Profile } from "./profiles.js"
import { isExecutable, nextNonce, type PooledTransaction, txpoolContent } from "./txpool.js"

/** Options for a chain. */
export interface Options {
  readonly chainId: number
  /** The time of the first block in Unix seconds (default: now). */
  readonly genesisTime?: number | undefined
  /** Whether each transaction is mined immediately (default: true). */
  readonly automine?: boolean | undefined
  /** Whether blocks can be replaced, for which each block takes a snapshot (default: true). */
  readonly reorgs?: boolean | undefined
  /** The chain to imitate (default: none). */
  readonly profile?: Omit<Profile, "blockTime"> | undefined
  /** What the tags `safe` and `finalized` return (default: `"lagging"`). */
  readonly tags?: FinalityTags | undefined
  /** Called with the events of subscriptions. */
  readonly onEvent?: ((subscription: string, result: unknown) => void) | undefined
}

/** A running chain. Calls run one after another. */
export interface EdrChain {
  /** Handles a call. Returns the members of the response as JSON: `"result":…`. Rejects with an `RpcError`. */
  readonly respond: (method: string, params: ReadonlyArray<unknown>) => Promise<string>
  /** Handles a call and returns its result. Rejects with an `RpcError`. */
  readonly request: (method: string, params?: ReadonlyArray<unknown>) => Promise<unknown>
}

type Params = ReadonlyArray<unknown>
type Method = (params: Params) => Promise<unknown>

const quantity = (value: bigint | number): string => `0x${value.toString(16)}`

/** Methods that EDR has under Hardhat's name. */
const renamed: Readonly<Record<string, string>> = Object.fromEntries(
  [
    "impersonateAccount",
    "setBalance",
    "setCode",
    "setCoinbase",
    "setNextBlockBaseFeePerGas",
    "setNonce",
    "setStorageAt",
    "stopImpersonatingAccount"
  ].map((name) => [`anvil_${name}`, `hardhat_${name}`])
)

/** Replaces the tags that EDR treats as `latest`, also in filters. */
const withoutTags = (params: Params, height: number, behind: Profile["behind"], tags: FinalityTags): Params => {
  const numberOf = (value: unknown): unknown => {
    if (value !== "safe" && value !== "finalized") return value
    if (tags === "missing") throw new RpcError(-39001, `${value} block not found`)
    return tags === "latest" ? "latest" : quantity(Math.max(0, height - behind[value]))
  }
  return params.map((param) => {
    if (typeof param !== "object" || param === null || !("fromBlock" in param || "toBlock" in param)) {
      return numberOf(param)
    }
    return Object.fromEntries(Object.entries(param).map(([key, value]) => [key, numberOf(value)]))
  })
}

/** The chain's clock, which follows the machine's clock at an offset. */
const makeClock = (genesisTime: number) => {
  const now = () => Math.floor(Date.now() / 1000)
  let [last, offset] = [genesisTime, genesisTime - now()]
  let next: number | undefined
  let interval: number | undefined
  return {
    /** The time of the next block. */
    next: () => next ?? (interval === undefined ? Math.max(last, now() + offset) : last + interval),
    setNext: (seconds: number) => {
      if (!Number.isSafeInteger(seconds) || seconds <= last) {
        throw invalidParams(`Timestamp error: ${seconds} is lower than or equal to previous block's timestamp`)
      }
      next = seconds
    },
    setInterval: (seconds: number | undefined) => void (interval = seconds),
    increase: (seconds: number) => (offset += seconds),
    mined: (seconds: number) => {
      if (next !== undefined) offset = next - now()
      next = undefined
      last = seconds
    },
    /** Continues after a block whose time is known, at the same offset. */
    continueAfter: (seconds: number) => {
      next = undefined
      last = seconds
    }
  }
}

const numberFrom = (value: unknown): number => Number(value)

/** Gas without a price is free, as in other nodes. EDR would use the price of the next block. */
const withFreeGas = (transaction: unknown): unknown => {
  const priced = ["gasPrice", "maxFeePerGas", "maxPriorityFeePerGas"]
  if (typeof transaction !== "object" || transaction === null) return transaction
  if (priced.some((field) => field in transaction)) return transaction
  return { ...transaction, maxFeePerGas: "0x0", maxPriorityFeePerGas: "0x0" }
}

/** The fees that a node suggests: the least tip that is usual on the chain, with the base fee of the next block. */
const suggestions = (call: EdrProvider["call"], tip: bigint): Readonly<Record<string, Method>> => ({
  eth_maxPriorityFeePerGas: async () => quantity(tip),
  eth_gasPrice: async () => {
    const { baseFeePerGas } = (await call("eth_feeHistory", "0x1", "latest", [])) as {
      readonly baseFeePerGas: ReadonlyArray<string>
    }
    return quantity(BigInt(baseFeePerGas[1] ?? 0) + tip)
  }
})

export const makeEdrChain = async (options: Options): Promise<EdrChain> => {
  const { chainId, genesisTime = Math.floor(Date.now() / 1000), onEvent = () => undefined, reorgs = true } = options
  const { profile = plain, tags = "lagging" } = options
  const provider: EdrProvider = await makeProvider({ chainId, genesisTime, onEvent, profile })
  const { call } = provider
  const arbitrum = profile.rollup === "arbitrum" ? makeArbitrum(call) : undefined
  const opStack = profile.rollup === "op" ? makeOpStack(call) : undefined
  const rollup = arbitrum ?? opStack
  await keepBaseFee(call, profile.leastBaseFee)
  const clock = makeClock(genesisTime)
  let automine = options.automine ?? true
  let height = 0

  // A snapshot of the state after each block. To replace blocks, the state before them is restored.
  const snapshots = new Map<number, string>()
  const takeSnapshot = async () => {
    if (reorgs) snapshots.set(height, (await call("evm_snapshot")) as string)
  }
  /** Restores a snapshot. EDR then forgets it and all later ones. */
  const restore = async (snapshot: string): Promise<boolean> => {
    if (!(await call("evm_revert", snapshot))) return false
    for (const [at, id] of snapshots) if (BigInt(id) >= BigInt(snapshot)) snapshots.delete(at)
    const { number, timestamp } = (await call("eth_getBlockByNumber", "latest", false)) as Record<string, string>
    height = numberFrom(number)
    clock.continueAfter(numberFrom(timestamp))
    if (!snapshots.has(height)) await takeSnapshot()
    return true
  }

  const mineBlock = async () => {
    const time = clock.next()
    await call("evm_setNextBlockTimestamp", time)
    if (opStack !== undefined) await dropInsolvent(call, await pool(), rawOf)
    await call("hardhat_mine", "0x1")
    clock.mined(time)
    await rollup?.charge(rawOf)
    await keepBaseFee(call, profile.leastBaseFee)
    height += 1
    await takeSnapshot()
  }

  const pool = () => call("eth_pendingTransactions") as Promise<ReadonlyArray<PooledTransaction>>
  const latestNonce = async (address: string) => numberFrom(await call("eth_getTransactionCount", address, "latest"))

  /** Mines blocks until no transaction in the pool can be included. */
  const minePool = async () => {
    let waiting = Infinity
    for (;;) {
      const pending = await pool()
      if (pending.length >= waiting || !(await isExecutable(pending, latestNonce))) return
      waiting = pending.length
      await mineBlock()
    }
  }

  // Calls run one after another, so that a reorg or a block is never seen half done.
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <A>(work: () => Promise<A>): Promise<A> => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }

  /** The signed transactions that may be in the pool, which a reorg puts back. */
  const signed = new Map<string, unknown>()
  const rawOf = (hash: string) => signed.get(hash)
  const forgetMined = async () => {
    const hashes = new Set((await pool()).map(({ hash }) => hash))
    for (const hash of signed.keys()) if (!hashes.has(hash)) signed.delete(hash)
  }
  const sent = async (method: string, params: Params): Promise<unknown> => {
    if (method === "eth_sendRawTransaction") await admit(call, profile, arbitrum, String(params[0]))
    const hash = (await call(method, ...params)) as string
    if (method === "eth_sendRawTransaction" && reorgs) {
      signed.set(hash, params[0])
      if (signed.size % 1_000 === 0) await forgetMined()
    }
    // As in a real node, the response does not wait for the block.
    if (automine) void inTurn(minePool)
    return hash
  }

  const mine = async (blocks: number) => {
    for (let mined = 0; mined < blocks; mined += 1) await mineBlock()
  }

  /** Replaces the last blocks with empty ones. Their transactions are dropped, and the pool stays as it is. */
  const reorg = async (depth: number) => {
    const snapshot = snapshots.get(height - depth)
    if (!Number.isSafeInteger(depth) || depth < 1 || snapshot === undefined) {
      throw invalidParams(`Cannot replace ${depth} blocks: expected 1 to ${height}`)
    }
    const kept = (await pool()).map(({ hash }) => hash)
    await restore(snapshot)
    for (const { hash } of await pool()) await call("hardhat_dropTransaction", hash)
    for (let mined = 0; mined < depth; mined += 1) {
      // Otherwise, an empty block would be replaced by an equal one.
      await call("hardhat_setPrevRandao", `0x${randomBytes(32).toString("hex")}`)
      await mineBlock()
    }
    for (const hash of kept) {
      const transaction = signed.get(hash)
      // A transaction that is no longer valid, such as one without funds, leaves the pool.
      if (transaction !== undefined) await call("eth_sendRawTransaction", transaction).catch(() => undefined)
    }
    if (automine) void inTurn(minePool)
  }

  const receiptsOf = async (block: unknown) => {
    const isHash = typeof block === "string" && block.length === 66
    const found = await call(isHash ? "eth_getBlockByHash" : "eth_getBlockByNumber", block, false)
    if (found === null) return null
    const { transactions } = found as { readonly transactions: ReadonlyArray<string> }
    const receipts = await Promise.all(transactions.map((hash) => call("eth_getTransactionReceipt", hash)))
    return rollup === undefined ? receipts : Promise.all(receipts.map(rollup.receipt))
  }

  const mineOnRequest: Method = async ([blocks = 1]) => {
    await mine(numberFrom(blocks))
    return null
  }

  const methods: Readonly<Record<string, Method>> = {
    anvil_mine: mineOnRequest,
    evm_mine: async () => {
      await mine(1)
      return "0x0"
    },
    evm_setAutomine: async ([on]) => {
      automine = on === true
      return null
    },
    anvil_getAutomine: async () => automine,
    evm_setNextBlockTimestamp: async ([seconds]) => {
      clock.setNext(numberFrom(seconds))
      return null
    },
    evm_increaseTime: async ([seconds]) => clock.increase(numberFrom(seconds)),
    anvil_setBlockTimestampInterval: async ([seconds]) => {
      clock.setInterval(numberFrom(seconds))
      return null
    },
    anvil_removeBlockTimestampInterval: async () => {
      clock.setInterval(undefined)
      return true
    },
    anvil_reorg: async ([depth]) => {
      await reorg(numberFrom(depth))
      return null
    },
    anvil_dropTransaction: async ([hash]) => ((await call("hardhat_dropTransaction", hash)) === true ? hash : null),
    evm_revert: async ([snapshot]) => restore(String(snapshot)),
    eth_sendRawTransaction: (params) => sent("eth_sendRawTransaction", params),
    eth_sendTransaction: (params) => sent("eth_sendTransaction", params),
    eth_getTransactionCount: async ([address, block = "latest"]) =>
      block === "pending"
        ? quantity(await nextNonce(await pool(), String(address), latestNonce))
        : call("eth_getTransactionCount", address, block),
    eth_estimateGas: async ([transaction, ...rest]) => {
      const gas = await call("eth_estimateGas", withFreeGas(transaction), ...rest)
      return arbitrum === undefined ? gas : arbitrum.estimate(transaction, gas)
    },
    eth_getBlockReceipts: ([block]) => receiptsOf(block),
    eth_createAccessList: ([transaction, block = "latest"]) => createAccessList(call, transaction, block),
    txpool_content: async () => txpoolContent(await pool(), latestNonce),
    txpool_status: async () => {
      const { pending, queued } = await txpoolContent(await pool(), latestNonce)
      const size = (part: typeof pending) =>
        quantity(Object.values(part).reduce((sum, nonces) => sum + Object.keys(nonces).length, 0))
      return { pending: size(pending), queued: size(queued) }
    }
  }

  /** What the profile answers differently. */
  const special: Readonly<Record<string, Method>> = {
    ...(profile.suggestedTip !== undefined && suggestions(call, profile.suggestedTip)),
    ...(rollup !== undefined && {
      eth_getTransactionReceipt: async ([hash]) => rollup.receipt(await call("eth_getTransactionReceipt", hash))
    }),
    ...(arbitrum !== undefined && {
      eth_getBlockByNumber: async (params) => arbitrum.block(await call("eth_getBlockByNumber", ...params)),
      eth_getBlockByHash: async (params) => arbitrum.block(await call("eth_getBlockByHash", ...params)),
      eth_call: async (params) => (await arbitrum.answer(params[0])) ?? call("eth_call", ...params)
    })
  }
  const all: Readonly<Record<string, Method>> = { ...methods, ...special }

  const handle = async (method: string, given: Params): Promise<string> => {
    const params = withoutTags(given, height, profile.behind, tags)
    const run = Object.hasOwn(all, method) ? all[method] : undefined
    if (run !== undefined) return `"result":${JSON.stringify(await run(params))}`
    if (method === "eth_call" && params.length > 3) throw invalidParams("eth_call: block overrides are not supported")
    const response = await provider.send(renamed[method] ?? method, params)
    // What is set between two blocks belongs to the earlier one, so a reorg of the later one keeps it.
    if (Object.hasOwn(renamed, method)) await takeSnapshot()
    if (response.startsWith('{"result":')) return response.slice(1, -1)
    const { error } = JSON.parse(response) as { readonly error: { code: number; message: string; data?: unknown } }
    throw new RpcError(error.code, error.message, error.data)
  }

  await takeSnapshot()
  const respond: EdrChain["respond"] = (method, params) =>
    inTurn(() => handle(method, params)).catch((error: unknown) => {
      throw nodeError(error)
    })
  return {
    respond,
    request: async (method, params = []) =>
      (JSON.parse(`{${await respond(method, params)}}`) as { readonly result: unknown }).result
  }
}
