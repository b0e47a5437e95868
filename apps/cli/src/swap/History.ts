/** The swaps started on this machine, as lines of JSON. Each line is a complete swap; the last line for a flow wins. */
import { appendFileSync, chmodSync, mkdirSync, readdirSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { Amount, type Store, type Payment, Swap, SwapOutcome, SwapProgress } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { sameToken } from "../agent/tokens.js"
import { Directory, tokenAt } from "../chains/Directory.js"
import { compact } from "../compact.js"
import { describeFileError, fileProblem, readIfExists } from "../node/secretFile.js"
import { serviceOfFolder, Settings } from "../config/Settings.js"
import { findById } from "./findById.js"

const optionalText = Schema.optional(Schema.String)

/** One side of a swap. */
export const Side = Schema.Struct({
  chainId: Schema.Int,
  chain: optionalText,
  token: Schema.String,
  symbol: optionalText,
  /** The amount in tokens. Absent if the token is not pinned. */
  amount: optionalText,
  /** The amount in the token's smallest unit. */
  raw: Schema.String
})
export type Side = typeof Side.Type

/**
 * A swap in the form that the history stores and `--json` prints. The terms are the signed ones if the swap was started
 * on this machine. Otherwise, the service reports them.
 */
export const Entry = Schema.Struct({
  swapId: Schema.NonEmptyString,
  status: Schema.Literals(["pending", "settled", "failed", "refunded"]),
  /** Whether the user's own nodes saw how the swap ended, or only the service says so. */
  evidence: Schema.Literals(["claimed", "proved"]),
  flowId: optionalText,
  startedAt: optionalText,
  updatedAt: Schema.String,
  wallet: optionalText,
  recipient: optionalText,
  /** The input token and amount. */
  from: Schema.optional(Side),
  /** The output token and the quoted amount. */
  to: Schema.optional(Side),
  /** What the recipient received, according to the service or, if that is proved, to the user's own nodes. */
  delivered: Schema.optional(Side),
  /** What the wallet got back, likewise. */
  refunded: Schema.optional(Side),
  /** Whether that amount is less than agreed, even with the slippage or, for a refund, without the network cost. */
  belowMinimum: Schema.optional(Schema.Boolean),
  feeBps: Schema.optional(Schema.Finite),
  /** In the input token. */
  networkCost: Schema.optional(Schema.Struct({ amount: Side.fields.amount, raw: Side.fields.raw })),
  /** EVM only: how the wallet paid. */
  paymentMethod: optionalText,
  /** When the service accepted the swap, when the input had arrived, and when the swap finished. */
  acceptedAt: optionalText,
  collectedAt: optionalText,
  finishedAt: optionalText,
  originTxHash: optionalText,
  deliveryTxHash: optionalText,
  refundTxHash: optionalText,
  failureCode: optionalText
})
export type Entry = typeof Entry.Type

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Entry))

const fileOf = (stateFolder: string) => join(stateFolder, "history.jsonl")

const problem = (path: string) => (cause: unknown) =>
  fileProblem(
    `The history file ${path} cannot be read or written: ${describeFileError(cause)}.`,
    "Check the folder permissions."
  )

/** Appends a line. It starts a new line, because a process may have been killed while it wrote the last one. */
const append = (path: string, line: string) => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  appendFileSync(path, `\n${line}`, { mode: 0o600 })
  chmodSync(path, 0o600)
}

const readFile = Effect.fnUntraced(function* (path: string) {
  const lines = yield* Effect.try({ try: () => readIfExists(path) ?? "", catch: problem(path) })
  const entries = new Map<string, Entry>()
  let damaged = 0
  for (const line of lines.split("\n").filter((one) => one !== "")) {
    const entry = decode(line)
    if (entry._tag === "None") damaged += 1
    else entries.set(entry.value.flowId ?? entry.value.swapId, entry.value)
  }
  return { path, damaged, entries: [...entries.values()].toReversed() }
})

/** Returns the swaps, newest first, and the number of lines that could not be read. */
export const read = Effect.flatMap(Settings, ({ stateFolder }) => readFile(fileOf(stateFolder)))

/** The swaps, newest first, or none if the history cannot be read. */
const readable = Effect.map(
  Effect.orElseSucceed(read, () => ({ entries: [] })),
  ({ entries }): ReadonlyArray<Entry> => entries
)

/** Returns how many swaps were started on this machine with each other service. */
export const otherServices = Effect.gen(function* () {
  const { stateFolder } = yield* Settings
  const root = dirname(stateFolder)
  const folders = yield* Effect.orElseSucceed(
    Effect.try({ try: () => readdirSync(root), catch: problem(root) }),
    () => []
  )
  const counts = yield* Effect.forEach(folders, (folder) =>
    Effect.map(
      Effect.orElseSucceed(readFile(fileOf(join(root, folder))), () => ({ entries: [] })),
      ({ entries }) => ({ folder, url: serviceOfFolder(folder), swaps: entries.length })
    )
  )
  return counts.filter(({ folder, swaps }) => swaps > 0 && folder !== basename(stateFolder))
})

/**
 * Returns the complete id of a swap that was started on this machine, from the id of its flow or from the first
 * characters of either id. Any other id is returned as it is, because the service may know the swap.
 */
export const completeId = Effect.fnUntraced(function* (id: string) {
  const found = yield* findById(yield* readable, id, ({ flowId, swapId }) => [swapId, flowId])
  return found?.swapId ?? id
})

/** Finds a swap, or returns `undefined` if the swap was not started on this machine, or the history cannot be read. */
export const find = (swapId: string) =>
  Effect.map(readable, (entries) => entries.find((entry) => entry.swapId === swapId))

/**
 * Estimates how long a swap between two chains takes, in seconds, from the swaps between them that were started on this
 * machine. Returns `undefined` if there are none.
 */
export const expectedSeconds = (origin: number, destination: number) =>
  Effect.map(readable, (entries) => {
    const durations = entries
      .filter(({ from, status, to }) => status === "settled" && from?.chainId === origin && to?.chainId === destination)
      .map(({ acceptedAt = "", finishedAt = "" }) => (Date.parse(finishedAt) - Date.parse(acceptedAt)) / 1000)
      .filter((seconds) => seconds >= 0)
    const typical = SwapProgress.typicalDuration(durations)
    return typical === undefined ? undefined : Math.max(1, Math.round(typical))
  })

/** Appends the current state of a swap. */
export const write = (entry: Entry) =>
  Effect.flatMap(Settings, ({ stateFolder }) => {
    const path = fileOf(stateFolder)
    return Effect.try({ try: () => append(path, JSON.stringify(entry)), catch: problem(path) })
  })

/** The request and quote for a swap that was started on this machine. */
export interface Origin extends Pick<Store.Flow, "createdAt" | "output" | "request"> {
  /** The flow, if it is known. A repeated call returns a swap whose flow has ended. */
  readonly flowId?: string | undefined
  /** EVM only: how the wallet paid, if known. */
  readonly paymentMethod?: Payment.Method | undefined
}

const sideOf = ({ chains }: Directory, { amount, chainId, token: address }: Swap.SwapAmount): Side => {
  const chain = chains.find(({ id }) => id === chainId)
  const token = tokenAt(chain, address)
  return {
    chainId,
    chain: chain?.name,
    token: address,
    symbol: token?.symbol,
    amount: token && Amount.format(amount, token.decimals),
    raw: String(amount)
  }
}

/** The terms that were signed. */
export const signedTerms = (directory: Directory, { createdAt, flowId, output, paymentMethod, request }: Origin) => {
  const { amount, destinationChain, inputToken, originChain, outputToken, recipient, walletAddress } = request
  return {
    flowId,
    startedAt: new Date(createdAt).toISOString(),
    wallet: walletAddress,
    recipient: recipient ?? walletAddress,
    paymentMethod,
    from: sideOf(directory, { chainId: originChain, token: inputToken, amount }),
    // The quote of an earlier call is not known.
    to: output === 0n ? undefined : sideOf(directory, { chainId: destinationChain, token: outputToken, amount: output })
  }
}

/** The terms that the service reports, or the signed ones if the swap comes from `execute` or `resume`. */
const termsOf = (directory: Directory, { feeBps, input, networkCost, quotedOutput, recipient }: Swap.Swap) => {
  return {
    recipient,
    from: input && sideOf(directory, input),
    to: quotedOutput && sideOf(directory, quotedOutput),
    feeBps,
    networkCost:
      networkCost === undefined
        ? undefined
        : { amount: input && sideOf(directory, { ...input, amount: networkCost }).amount, raw: String(networkCost) }
  }
}

/** Whether an amount is of the same token on the same chain as a side of the swap. */
const isSameToken = (side: Side | undefined, { chainId, token }: Swap.SwapAmount) =>
  side === undefined || sameToken({ chainId: side.chainId, token: side.token }, { chainId, token })

/**
 * What the service reports about the end of a swap. An amount of another token than the swap's is left out, and so is a
 * refund of more than the input.
 */
const outcomeOf = (directory: Directory, swap: Swap.Swap, { from, to }: Pick<Entry, "from" | "to">) => {
  const { received, returned } = SwapOutcome.outcome(swap)
  const delivery = received && isSameToken(to, received.amount) ? received : undefined
  const isRefund =
    returned && isSameToken(from, returned.amount) && (from === undefined || returned.amount.amount <= BigInt(from.raw))
  const refund = isRefund ? returned : undefined
  return {
    delivered: delivery && sideOf(directory, delivery.amount),
    refunded: refund && sideOf(directory, refund.amount),
    belowMinimum: (delivery ?? refund)?.isBelowMinimum === true ? true : undefined,
    acceptedAt: swap.acceptedAt?.toISOString(),
    collectedAt: swap.collectedAt?.toISOString(),
    finishedAt: swap.finishedAt?.toISOString()
  }
}

/**
 * Builds the entry for a swap, with details from its flow or an earlier entry. What the service reports about the terms
 * is used only for what these details do not contain, and an outcome that was proved stays as it is.
 */
export const entryOf = (swap: Swap.Swap, known: Origin | Entry | undefined): Effect.Effect<Entry, never, Directory> =>
  Effect.gen(function* () {
    const directory = yield* Directory
    const now = yield* Clock.currentTimeMillis
    const { deliveryTxHash, failureCode, originTxHash, refundTxHash, status, swapId } = swap
    const isProved = Swap.isProved(swap)
    if (known !== undefined && "swapId" in known && known.evidence === "proved" && !isProved) return known
    const details = known === undefined || "swapId" in known ? known : signedTerms(directory, known)
    const terms = { ...termsOf(directory, swap), ...(details && compact(details)) }
    return {
      ...terms,
      ...compact({ ...outcomeOf(directory, swap, terms), originTxHash, deliveryTxHash, refundTxHash, failureCode }),
      swapId,
      status,
      evidence: isProved ? "proved" : "claimed",
      updatedAt: new Date(now).toISOString()
    }
  })
