/** The subscriptions on one websocket, at the requested commitment levels. */
import type { Address } from "@solana/kit"
import { isTooLong, show, viewOf } from "./accountView.js"
import { mintsAt } from "./accountMethods.js"
import type { Event, Landed, Ledger } from "./ledger.js"
import { commitmentOf, type Config, config, flag, integer, type Method, pubkey, text, texts } from "./params.js"
import { invalidParams } from "../rpcError.js"

/** A function that receives every event. It returns `true` to end its subscription. */
type Watcher = (event: Event) => boolean

/** Sends a notification to the subscriber. */
type Notify = (method: string, subscription: number, result: unknown) => void

/** The subscriptions on one connection. */
export interface Subscriptions {
  readonly methods: Readonly<Record<string, Method>>
  readonly close: () => void
}

/** Notifications contain a slot but, unlike responses, no version. */
const inSlot = ({ slot }: { readonly slot: number }, value: unknown) => ({ context: { slot }, value })

/** The slots that have become visible at a commitment level since the last call. */
const progress = (ledger: Ledger, commitment: ReturnType<typeof commitmentOf>) => {
  let seen = ledger.blockAt(commitment).slot
  return () => {
    const from = seen
    seen = Math.max(seen, ledger.blockAt(commitment).slot)
    return { from, to: seen }
  }
}

export const subscriptions = (ledger: Ledger, ids: () => number, notify: Notify): Subscriptions => {
  const watchers = new Map<number, { readonly kind: string; readonly watch: Watcher }>()
  const stop = ledger.listen((event) => {
    for (const [id, { watch }] of watchers) {
      try {
        if (watch(event)) watchers.delete(id)
      } catch {
        // The notification cannot be sent, but this must not affect the sender of the transaction.
        watchers.delete(id)
      }
    }
  })

  /** Adds a subscription. Existing results are sent right after the response that contains the subscription's id. */
  const add = (kind: string, watcherOf: (send: (result: unknown) => void) => Watcher, first?: Event): number => {
    const id = ids()
    const watch = watcherOf((result) => notify(`${kind}Notification`, id, result))
    watchers.set(id, { kind, watch })
    if (first !== undefined) {
      setImmediate(() => {
        if (watchers.has(id) && watch(first)) watchers.delete(id)
      })
    }
    return id
  }

  const remove =
    (kind: string): Method =>
    ([id]) => {
      if (watchers.get(integer(id))?.kind !== kind) throw invalidParams("Invalid subscription id.")
      return watchers.delete(integer(id))
    }

  const signatureSubscribe: Method = ([signature, options]) => {
    const wanted = text(signature)
    const given = config(options)
    const commitment = commitmentOf(given["commitment"])
    let received = !flag(given["enableReceivedNotification"])
    const now: Event = { type: "slot", block: ledger.head() }
    return add(
      "signature",
      (send) => () => {
        const landed = ledger.landed(wanted)
        if (landed === undefined) return false
        if (!received) {
          received = true
          send(inSlot(ledger.head(), "receivedSignature"))
        }
        const block = ledger.blockAt(commitment)
        if (landed.slot > block.slot) return false
        send(inSlot(block, { err: landed.err }))
        return true
      },
      now
    )
  }

  const accountSubscribe: Method = ([address, options]) => {
    const key = pubkey(address)
    const given = config(options)
    const commitment = commitmentOf(given["commitment"])
    const view = viewOf(given)
    const shown = () => {
      const block = ledger.blockAt(commitment)
      const account = ledger.account(key, block)
      return { block, account, print: print(account) }
    }
    const print = (account: ReturnType<Ledger["account"]>) =>
      account === undefined
        ? ""
        : `${account.lamports} ${account.programAddress} ${Buffer.from(account.data).toString("base64")}`
    let last = shown().print
    const gone = {
      lamports: 0,
      data: ["", "base64"],
      owner: "11111111111111111111111111111111",
      executable: false,
      rentEpoch: 0,
      space: 0
    }
    return add("account", (send) => () => {
      const { account, block, print } = shown()
      if (print === last) return false
      last = print
      const mints = mintsAt(ledger, block)
      if (account !== undefined && isTooLong(account, view)) {
        // A real node also sends a notification here, even though a call that reads the account returns an error.
        const { data: _, ...rest } = { ...gone, ...show(account, { ...view, encoding: "base64" }, mints) }
        const said = "error: data too large for bs58 encoding"
        send(inSlot(block, { ...rest, data: view.encoding === "binary" ? said : [said, "base58"] }))
      } else {
        send(inSlot(block, show(account, view, mints) ?? gone))
      }
      return false
    })
  }

  const logsSubscribe: Method = ([filter, options]) => {
    const mentions: ReadonlyArray<Address> | undefined =
      filter === "all" || filter === "allWithVotes" ? undefined : texts((filter as Config)["mentions"]).map(pubkey)
    if (mentions !== undefined && mentions.length !== 1) {
      throw invalidParams("Invalid Request: Only 1 address supported")
    }
    const commitment = commitmentOf(config(options)["commitment"])
    const next = progress(ledger, commitment)
    const fits = ({ keys }: Landed) =>
      mentions === undefined || mentions.every((address) => keys.some((key) => key.address === address))
    return add("logs", (send) => {
      const say = ({ decoded, err, logs, slot }: Landed) =>
        send(inSlot({ slot }, { signature: decoded.signature, err, logs }))
      return (event) => {
        if (commitment === "processed") {
          if (event.type === "transaction" && fits(event.landed)) say(event.landed)
          return false
        }
        const { from, to } = next()
        for (const landed of ledger.history()) if (landed.slot > from && landed.slot <= to && fits(landed)) say(landed)
        return false
      }
    })
  }

  const slotSubscribe: Method = () =>
    add("slot", (send) => (event) => {
      if (event.type === "slot") {
        send({ parent: event.block.parent, root: ledger.blockAt("finalized").slot, slot: event.block.slot })
      }
      return false
    })

  const rootSubscribe: Method = () => {
    const next = progress(ledger, "finalized")
    return add("root", (send) => () => {
      const { from, to } = next()
      if (to > from) send(to)
      return false
    })
  }

  return {
    methods: {
      signatureSubscribe,
      accountSubscribe,
      logsSubscribe,
      slotSubscribe,
      rootSubscribe,
      ...Object.fromEntries(
        ["signature", "account", "logs", "slot", "root"].map((kind) => [`${kind}Unsubscribe`, remove(kind)])
      )
    },
    close: stop
  }
}
