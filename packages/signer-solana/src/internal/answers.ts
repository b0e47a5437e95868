/** Reading a Solana node's answers. Anything of another form is a fault of the node. */
import * as Effect from "effect/Effect"
import { member } from "./given.js"
import { type Ask, Fault } from "./jsonRpc.js"

/** A finalized block. */
export interface Final {
  readonly slot: number
  readonly height: number
}

/** A transaction as a node lists it. */
export interface Listed {
  readonly signature: string
  /** Unix milliseconds, if the node knows. */
  readonly time: number | undefined
  readonly memo: string | undefined
  readonly failed: boolean
}

/** A transaction as a node shows it. */
export interface Landed {
  /** Base64. */
  readonly text: string
  readonly failed: boolean
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

/** What a node answers, read by `form`, which gives nothing for another form. */
const askFor = <A>(
  ask: Ask,
  method: string,
  params: ReadonlyArray<unknown>,
  form: (answer: unknown) => A | undefined
): Effect.Effect<A, Fault> =>
  Effect.flatMap(ask(method, params), (answer) => {
    const value = form(answer)
    return value === undefined
      ? Effect.fail(new Fault(`answered ${method} in another form than Solana nodes do`))
      : Effect.succeed(value)
  })

const commitment = "finalized"

/** The newest finalized block. */
export const finalBlock = (ask: Ask): Effect.Effect<Final, Fault> =>
  askFor(ask, "getEpochInfo", [{ commitment }], (answer) => {
    const [slot, height] = [member(answer, "absoluteSlot"), member(answer, "blockHeight")]
    return isWhole(slot) && isWhole(height) ? { slot, height } : undefined
  })

/** The time of a block in Unix milliseconds. */
export const blockTime = (ask: Ask, slot: number): Effect.Effect<number, Fault> =>
  askFor(ask, "getBlockTime", [slot], (answer) => (isWhole(answer) ? answer * 1000 : undefined))

/** Whether a transaction with this blockhash could land, at `final` or later. */
export const isValid = Effect.fnUntraced(function* (
  ask: Ask,
  blockhash: string,
  at: "processed" | "finalized",
  { slot }: Final
): Effect.fn.Return<boolean, Fault> {
  const method = "isBlockhashValid"
  const answer = yield* askFor(ask, method, [blockhash, { commitment: at, minContextSlot: slot }], (given) => {
    const [found, value] = [member(member(given, "context"), "slot"), member(given, "value")]
    return isWhole(found) && typeof value === "boolean" ? { found, value } : undefined
  })
  // A URL may lead to several nodes.
  if (answer.found < slot) return yield* Effect.fail(new Fault(`answered ${method} from before slot ${slot}`))
  return answer.value
})

const listedOf = (entry: unknown): Listed | undefined => {
  const [blockTime, err, memo, signature] = ["blockTime", "err", "memo", "signature"].map((name) => member(entry, name))
  const hasForm =
    typeof signature === "string" &&
    /^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(signature) &&
    err !== undefined &&
    (blockTime === undefined || blockTime === null || isWhole(blockTime)) &&
    (memo === undefined || memo === null || typeof memo === "string")
  return hasForm
    ? {
        signature,
        time: isWhole(blockTime) ? blockTime * 1000 : undefined,
        memo: typeof memo === "string" ? memo : undefined,
        failed: err !== null
      }
    : undefined
}

/** The finalized transactions that name an address, the newest first, up to a thousand. */
export const listedFor = (
  ask: Ask,
  address: string,
  slot: number,
  before: string | undefined
): Effect.Effect<ReadonlyArray<Listed>, Fault> => {
  const options = { commitment, minContextSlot: slot, limit: 1000, ...(before !== undefined && { before }) }
  return askFor(ask, "getSignaturesForAddress", [address, options], (answer) => {
    const entries = Array.isArray(answer) ? answer.map(listedOf) : [undefined]
    return entries.every((entry) => entry !== undefined) ? entries : undefined
  })
}

/** A finalized transaction that the node listed. */
export const landedOf = (ask: Ask, signature: string): Effect.Effect<Landed, Fault> => {
  const options = { commitment, encoding: "base64", maxSupportedTransactionVersion: 0 }
  return askFor(ask, "getTransaction", [signature, options], (answer) => {
    const [text, encoding] = Array.from((member(answer, "transaction") ?? []) as ArrayLike<unknown>)
    const err = member(member(answer, "meta"), "err")
    return typeof text === "string" && encoding === "base64" && err !== undefined
      ? { text, failed: err !== null }
      : undefined
  })
}

/** The first block after the genesis that a node has, if it has one. */
export const firstSlot = Effect.fnUntraced(function* (ask: Ask): Effect.fn.Return<number | undefined, Fault> {
  const first = yield* askFor(ask, "getFirstAvailableBlock", [], (answer) => (isWhole(answer) ? answer : undefined))
  if (first > 0) return first
  // A node that started from a snapshot a moment ago answers 0 too, and has the genesis alone or no block at all.
  const [, second] = yield* askFor(ask, "getBlocksWithLimit", [0, 2, { commitment }], (answer) =>
    Array.isArray(answer) && answer.every(isWhole) ? answer : undefined
  )
  return second
})

/** An account's owner and data; `null` if there is none. */
export const accountOf = (ask: Ask, address: string) =>
  askFor(ask, "getAccountInfo", [address, { commitment, encoding: "base64" }], (answer) => {
    const value = member(answer, "value")
    if (value === null) return null
    const owner = member(value, "owner")
    const [text, encoding] = Array.from((member(value, "data") ?? []) as ArrayLike<unknown>)
    return typeof owner === "string" && typeof text === "string" && encoding === "base64" ? { owner, text } : undefined
  })

/** The network that a node is of. */
export const genesisHash = (ask: Ask): Effect.Effect<string, Fault> =>
  askFor(ask, "getGenesisHash", [], (answer) =>
    typeof answer === "string" && /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(answer) ? answer : undefined
  )
