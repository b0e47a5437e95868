/** Remembers a flow from just before its submit until its end, so that a crash never loses or repeats a swap. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Amount } from "./Amount.js"
import { causeMessage } from "./codecs/causeMessage.js"
import { QuoteRequest } from "./Quote.js"
import { JournalError } from "./SwapError.js"

/** Exactly what is submitted, and submitted again. */
const Submission = /* @__PURE__ */ Schema.Union([
  /* @__PURE__ */ Schema.Struct({
    kind: /* @__PURE__ */ Schema.Literal("evm"),
    geoOpToken: Schema.NonEmptyString,
    signature: Schema.NonEmptyString
  }),
  /* @__PURE__ */ Schema.Struct({
    kind: /* @__PURE__ */ Schema.Literal("solana"),
    geoOpToken: Schema.NonEmptyString,
    signedTransaction: Schema.NonEmptyString
  })
])

const identity = {
  /** EVM: what identifies the signed operation on its chain, if the service sent its fields. */
  operation: /* @__PURE__ */ Schema.optionalKey(
    /* @__PURE__ */ Schema.Struct({ delegate: Schema.String, nonce: Amount, deadline: Schema.Finite })
  ),
  /** Unix milliseconds. */
  signedAt: /* @__PURE__ */ Schema.optionalKey(Schema.Finite)
}

/** What identifies something that was signed on its chain. It holds nothing that can be submitted. */
export const Identity = /* @__PURE__ */ Schema.Struct({
  ...identity,
  /** Solana: the transaction in base64, with empty signatures. */
  transaction: /* @__PURE__ */ Schema.optionalKey(Schema.NonEmptyString)
})
export type Identity = typeof Identity.Type

const signed = { submission: Submission, ...identity }

/** Something that was signed and left the process. */
export const Signed = /* @__PURE__ */ Schema.Struct(signed)
export type Signed = typeof Signed.Type

/** A signed flow in progress: what is submitted, byte for byte, and what it was for. */
export const Flow = /* @__PURE__ */ Schema.Struct({
  id: Schema.NonEmptyString,
  /** Unix milliseconds. */
  createdAt: Schema.Finite,
  request: QuoteRequest,
  /** The output that was accepted. */
  output: Amount,
  /** The least output that was agreed to. */
  minOutput: /* @__PURE__ */ Schema.optionalKey(Amount),
  /** How often something was signed for this flow so far. A flow with another number has changed since it was read. */
  signatures: /* @__PURE__ */ Schema.optionalKey(Schema.Finite),
  ...signed,
  /** Absent once the swap's id is known: nothing has to be submitted again. */
  submission: /* @__PURE__ */ Schema.optionalKey(Submission),
  /** What was signed for the same swap before, and refused by the service. */
  earlier: /* @__PURE__ */ Schema.optionalKey(/* @__PURE__ */ Schema.Array(Signed)),
  /** Everything that was signed, once the swap's id is known: enough for your own node to show what became of it. */
  signed: /* @__PURE__ */ Schema.optionalKey(/* @__PURE__ */ Schema.Array(Identity)),
  /** The key in the ledger that `execute` was called with. */
  idempotencyKey: /* @__PURE__ */ Schema.optionalKey(Schema.NonEmptyString),
  /** Known once submit was answered. */
  swapId: /* @__PURE__ */ Schema.optionalKey(Schema.NonEmptyString)
})
export type Flow = typeof Flow.Type

/** The methods of a journal. A `put` that succeeded must survive whatever the journal is meant to survive. */
export interface Shape {
  readonly put: (flow: Flow) => Effect.Effect<void, JournalError>
  readonly get: (id: string) => Effect.Effect<Flow | undefined, JournalError>
  readonly remove: (id: string) => Effect.Effect<void, JournalError>
  readonly list: Effect.Effect<ReadonlyArray<Flow>, JournalError>
}

/** The flows in progress. */
export class Journal extends Context.Service<Journal, Shape>()("@geoswap/core/Journal") {}

/** A journal that lasts as long as the process. */
export const makeMemory: Effect.Effect<Shape> = Effect.sync(() => {
  const flows = new Map<string, Flow>()
  return {
    put: (flow) => Effect.sync(() => void flows.set(flow.id, flow)),
    get: (id) => Effect.sync(() => flows.get(id)),
    remove: (id) => Effect.sync(() => void flows.delete(id)),
    list: Effect.sync(() => [...flows.values()])
  }
})

/** A journal in promises. */
export interface PromiseJournal {
  readonly put: (flow: Flow) => Promise<void>
  readonly get: (id: string) => Promise<Flow | undefined>
  readonly remove: (id: string) => Promise<void>
  readonly list: () => Promise<ReadonlyArray<Flow>>
}

const attempt = <A>(run: () => Promise<A>): Effect.Effect<A, JournalError> =>
  Effect.tryPromise({
    try: run,
    catch: (cause) =>
      cause instanceof JournalError
        ? cause
        : new JournalError({ message: "The journal could not be read or written.", cause: causeMessage(cause) })
  })

/** A journal from functions that return promises. */
export const fromPromise = (journal: PromiseJournal): Shape => ({
  put: (flow) => attempt(() => journal.put(flow)),
  get: (id) => attempt(() => journal.get(id)),
  remove: (id) => attempt(() => journal.remove(id)),
  list: attempt(() => journal.list())
})

/** Text by key: `localStorage`, or anything of that form, asynchronous too. */
export interface Storage {
  readonly getItem: (key: string) => string | null | Promise<string | null>
  readonly setItem: (key: string, value: string) => void | Promise<void>
  readonly removeItem: (key: string) => void | Promise<void>
  /** All keys; only `localStorage` and its like, whose keys are its own properties, can do without. */
  readonly keys?: () => ReadonlyArray<string> | Promise<ReadonlyArray<string>>
}

/** How a journal over text storage behaves. */
export interface StorageOptions {
  /** What its keys begin with; `geoswap.flow.` where absent. */
  readonly prefix?: string
  /** Told of an entry that cannot be read when flows are listed, which then leave it out; without it, listing fails. */
  readonly onDamaged?: (key: string) => void
}

/**
 * A journal over text storage, one key per flow. The entries hold signed operations: keep them private.
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
    throw new JournalError({ message: "A storage that cannot list its keys would lose its flows: give it `keys`." })
  }
  const Text = Schema.fromJsonString(Flow)
  const read = async (key: string): Promise<Flow | undefined> => {
    const text = await storage.getItem(key)
    if (typeof text !== "string") return undefined
    const flow = Schema.decodeUnknownOption(Text)(text)
    if (flow._tag === "Some") return flow.value
    throw new JournalError({ message: `The journal's entry ${key} is damaged; a swap may depend on it.` })
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

/** A journal that lasts as long as the process, as a layer. */
export const layerMemory: Layer.Layer<Journal> = /* @__PURE__ */ Layer.effect(Journal, makeMemory)

/** A journal over text storage, as a layer. */
export const layerStorage = (storage: Storage, options?: StorageOptions): Layer.Layer<Journal> =>
  Layer.succeed(Journal, fromPromise(storageJournal(storage, options)))
