/** Stores each flow from just before it is submitted until it ends, so that a crash never loses or repeats a swap. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Amount } from "./Amount.js"
import { causeMessage } from "./codecs/causeMessage.js"
import { hasTag } from "./codecs/hasTag.js"
import { FlowId, OrderId, type SwapId } from "./Id.js"
import { methods } from "./Payment.js"
import { QuoteRequest } from "./Quote.js"
import { JournalError } from "./SwapError.js"

/** The exact bytes to submit. Resuming a flow submits the same bytes again. */
const Submission = /* @__PURE__ */ Schema.Union([
  /* @__PURE__ */ Schema.Struct({
    kind: /* @__PURE__ */ Schema.Literal("evm"),
    geoOpToken: Schema.NonEmptyString,
    signature: Schema.NonEmptyString,
    /** Only with `erc2612`: the signature of the permit. */
    permitSignature: /* @__PURE__ */ Schema.optionalKey(Schema.NonEmptyString)
  }),
  /* @__PURE__ */ Schema.Struct({
    kind: /* @__PURE__ */ Schema.Literal("solana"),
    geoOpToken: Schema.NonEmptyString,
    signedTransaction: Schema.NonEmptyString
  })
])

const identity = {
  /** EVM only: identifies the signed operation on its chain. Present if the service sent the operation's fields. */
  operation: /* @__PURE__ */ Schema.optionalKey(
    /* @__PURE__ */ Schema.Struct({ delegate: Schema.String, nonce: Amount, deadline: Schema.Finite })
  ),
  /**
   * EVM only: identifies the signed payment on its chain, if the wallet paid without a delegation. `nonce`: the nonce
   * that the token or Permit2 records as used. With EIP-3009, the hash of the order.
   */
  payment: /* @__PURE__ */ Schema.optionalKey(
    /* @__PURE__ */ Schema.Struct({
      method: /* @__PURE__ */ Schema.Literals(methods),
      token: Schema.String,
      vault: Schema.String,
      nonce: Amount,
      deadline: Schema.Finite
    })
  ),
  /** The order that was signed, and the minimum output that it guarantees. Present if the signer verified it. */
  order: /* @__PURE__ */ Schema.optionalKey(/* @__PURE__ */ Schema.Struct({ id: OrderId, minOutput: Amount })),
  /** When the signature was made, in Unix milliseconds. */
  signedAt: /* @__PURE__ */ Schema.optionalKey(Schema.Finite)
}

/** The data that identifies a signature on its chain. It contains nothing that can be submitted. */
export const Identity = /* @__PURE__ */ Schema.Struct({
  ...identity,
  /** Solana only: the transaction in base64, with empty signatures. */
  transaction: /* @__PURE__ */ Schema.optionalKey(Schema.NonEmptyString)
})
export type Identity = typeof Identity.Type

/** The terms of an accepted quote, next to its output. Older versions did not record the fee and the network cost. */
const price = {
  /** The minimum output that the caller accepted. */
  minOutput: /* @__PURE__ */ Schema.optionalKey(Amount),
  /** The fee of the accepted quote, in basis points. */
  feeBps: /* @__PURE__ */ Schema.optionalKey(Schema.Finite),
  /** The network cost of the accepted quote, in the input token's smallest unit, if the quote had one. */
  networkCost: /* @__PURE__ */ Schema.optionalKey(Amount)
}

const signed = { submission: Submission, ...identity }

/** A signature that has been sent. */
export const Signed = /* @__PURE__ */ Schema.Struct({
  ...signed,
  /** The output of the quote that was signed. Older versions did not record it. */
  output: /* @__PURE__ */ Schema.optionalKey(Amount),
  ...price
})
export type Signed = typeof Signed.Type

/** A signed flow in progress: the bytes to submit, and the request that they belong to. */
export const Flow = /* @__PURE__ */ Schema.Struct({
  id: FlowId,
  /** When the flow was created, in Unix milliseconds. */
  createdAt: Schema.Finite,
  request: QuoteRequest,
  /** The output of the accepted quote. */
  output: Amount,
  ...price,
  /**
   * How many signatures have been made for this flow. If this number differs from the number in an earlier read, the
   * flow has changed since that read.
   */
  signatures: /* @__PURE__ */ Schema.optionalKey(Schema.Finite),
  /** The id of the budget reservation for the latest signature (default: the flow's `id`). */
  reservation: /* @__PURE__ */ Schema.optionalKey(Schema.NonEmptyString),
  ...signed,
  /** The bytes to submit. Absent once the swap id is known, because nothing needs to be resubmitted after that. */
  submission: /* @__PURE__ */ Schema.optionalKey(Submission),
  /** Earlier signatures for the same swap, which the service refused. */
  earlier: /* @__PURE__ */ Schema.optionalKey(/* @__PURE__ */ Schema.Array(Signed)),
  /** The data that your own node needs to find every signed operation on its chain. Set once the swap id is known. */
  signed: /* @__PURE__ */ Schema.optionalKey(/* @__PURE__ */ Schema.Array(Identity)),
  /** The vaults that were pinned when the flow was signed. Only their payments prove an outcome. */
  vaults: /* @__PURE__ */ Schema.optionalKey(
    /* @__PURE__ */ Schema.Struct({
      origin: /* @__PURE__ */ Schema.Array(Schema.String),
      destination: /* @__PURE__ */ Schema.Array(Schema.String)
    })
  ),
  /** How the swap ended according to the service, as long as that is not proved. */
  claimed: /* @__PURE__ */ Schema.optionalKey(/* @__PURE__ */ Schema.Literals(["failed", "refunded"])),
  /** The idempotency key that was passed to `execute`. */
  idempotencyKey: /* @__PURE__ */ Schema.optionalKey(Schema.NonEmptyString),
  /** The swap id, set once the service has accepted the submission. */
  swapId: /* @__PURE__ */ Schema.optionalKey(Schema.NonEmptyString as Schema.Codec<SwapId, string>)
})
export type Flow = typeof Flow.Type

/** The methods of a journal. `put` must not succeed before the flow is stored as durably as the journal promises. */
export interface Journal {
  readonly put: (flow: Flow) => Effect.Effect<void, JournalError>
  readonly get: (id: FlowId) => Effect.Effect<Flow | undefined, JournalError>
  readonly remove: (id: FlowId) => Effect.Effect<void, JournalError>
  readonly list: Effect.Effect<ReadonlyArray<Flow>, JournalError>
  /** The ids of the flows that another living process is working on, if the journal knows them. */
  readonly busy?: Effect.Effect<ReadonlySet<string>, JournalError>
  /** Lets other processes work on a flow that this process worked on. */
  readonly release?: (id: FlowId) => Effect.Effect<void, JournalError>
}

/** The journal for flows in progress. */
export const Journal: Context.Service<Journal, Journal> =
  /* @__PURE__ */ Context.Service<Journal>("@geoswap/core/Journal")

/** Creates an in-memory journal. */
export const makeMemory: Effect.Effect<Journal> = Effect.sync(() => {
  const flows = new Map<string, Flow>()
  return {
    put: (flow) => Effect.sync(() => void flows.set(flow.id, flow)),
    get: (id) => Effect.sync(() => flows.get(id)),
    remove: (id) => Effect.sync(() => void flows.delete(id)),
    list: Effect.sync(() => [...flows.values()])
  }
})

/** A journal whose methods return promises. */
export interface PromiseJournal {
  readonly put: (flow: Flow) => Promise<void>
  readonly get: (id: FlowId) => Promise<Flow | undefined>
  readonly remove: (id: FlowId) => Promise<void>
  readonly list: () => Promise<ReadonlyArray<Flow>>
}

const attempt = <A>(run: () => Promise<A>): Effect.Effect<A, JournalError> =>
  Effect.tryPromise({
    try: run,
    catch: (cause) =>
      hasTag("JournalError", cause)
        ? cause
        : new JournalError({ message: "The journal could not be read or written.", cause: causeMessage(cause) })
  })

/** Creates a journal from functions that return promises. */
export const fromPromise = (journal: PromiseJournal): Journal => ({
  put: (flow) => attempt(() => journal.put(flow)),
  get: (id) => attempt(() => journal.get(id)),
  remove: (id) => attempt(() => journal.remove(id)),
  list: attempt(() => journal.list())
})

/** A key-value store for strings: `localStorage`, or an asynchronous store with the same methods. */
export interface Storage {
  readonly getItem: (key: string) => string | null | Promise<string | null>
  readonly setItem: (key: string, value: string) => void | Promise<void>
  readonly removeItem: (key: string) => void | Promise<void>
  /**
   * Lists all keys. Optional only for `localStorage` and other stores whose keys are properties of the store object.
   */
  readonly keys?: () => ReadonlyArray<string> | Promise<ReadonlyArray<string>>
}

/** Options for a journal in a key-value store. */
export interface StorageOptions {
  /** The key prefix (default: `geoswap.flow.`). */
  readonly prefix?: string
  /**
   * Called for each unreadable entry when flows are listed. If this callback is omitted, listing fails if any entry is
   * unreadable.
   */
  readonly onDamaged?: (key: string) => void
}

/**
 * Creates a journal in a key-value store, with one key per flow. The entries contain signatures, so keep them private.
 *
 * @example
 * ```ts
 * const journal = storageJournal(localStorage)
 * ```
 */
export const storageJournal = (
  storage: Storage,
  { prefix = "geoswap.flow.", onDamaged }: StorageOptions = {}
): PromiseJournal => {
  if (typeof storage.keys !== "function" && !("length" in storage)) {
    throw new JournalError({
      message: "The storage cannot list its keys, so flows would be lost. Add a `keys` method."
    })
  }
  const Text = Schema.fromJsonString(Flow)
  const read = async (key: string): Promise<Flow | undefined> => {
    const text = await storage.getItem(key)
    if (typeof text !== "string") return undefined
    const flow = Schema.decodeUnknownOption(Text)(text)
    if (flow._tag === "Some") return flow.value
    throw new JournalError({
      message: `The journal entry ${key} is damaged. A swap may depend on it, so inspect it before you remove it.`
    })
  }
  return {
    put: async (flow) => storage.setItem(prefix + flow.id, Schema.encodeSync(Text)(flow)),
    get: (id) => read(prefix + id),
    remove: async (id) => storage.removeItem(prefix + id),
    list: async () => {
      const keys = (typeof storage.keys === "function" ? await storage.keys() : Object.keys(storage)).filter((key) =>
        key.startsWith(prefix)
      )
      const flows = await Promise.all(
        keys.map((key) =>
          onDamaged === undefined
            ? read(key)
            : read(key).catch((error: unknown) => {
                if (!(error instanceof JournalError)) throw error
                onDamaged(key)
                return undefined
              })
        )
      )
      return flows.filter((flow) => flow !== undefined)
    }
  }
}

/** A layer that provides an in-memory journal. */
export const layerMemory: Layer.Layer<Journal> = /* @__PURE__ */ Layer.effect(Journal, makeMemory)

/** A layer that provides a journal in a key-value store. */
export const layerStorage = (storage: Storage, options?: StorageOptions): Layer.Layer<Journal> =>
  Layer.succeed(Journal, fromPromise(storageJournal(storage, options)))
