/** `geoswap-server swaps …`: the swaps in the storage, while a server runs or not. */
import { Chain } from "@geoswap/core"
import { Store, type SwapRecord } from "@geoswap/service"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { entryOf, routeOf } from "./swaps/swapEntry.js"
import { find } from "./swaps/findSwap.js"
import type { Flags } from "../commands/parseArgs.js"
import * as Names from "../terminal/names.js"
import { Failure, load, remark, say } from "../config/loadConfig.js"
import * as Storage from "../storage/Storage.js"
import { story } from "./swaps/swapReport.js"
import { table } from "../terminal/table.js"
import { span } from "../terminal/time.js"
import { waitsFor } from "./swaps/swapAdvice.js"

/** The names of accounts by their ids. */
export const accountNames = Effect.fnUntraced(function* (store: Store.Shape) {
  const names = new Map((yield* store.accounts).map(({ id, name }) => [id, name]))
  return (id: string) => names.get(id) ?? id
})

const accountId = Effect.fnUntraced(function* (store: Store.Shape, name: string) {
  const found = (yield* store.accounts).find((account) => account.name === name.normalize("NFC"))
  return found === undefined
    ? yield* new Failure({ message: `There is no account "${name}": geoswap-server keys list` })
    : found.id
})

type Listing = Pick<
  Flags,
  "config" | "state" | "open" | "ended" | "account" | "wallet" | "since" | "until" | "limit" | "json"
>

/** Lists swaps, newest first. */
export const list = Effect.fn("swaps list")(function* (flags: Listing) {
  const { account, config: file, ended, json, limit, open, since, state, until, wallet } = flags
  // It would only find nothing, which looks as if the wallet had no swaps.
  const isAddress = (["evm", "solana"] as const).some((family) => Chain.isAddress(family, wallet))
  if (wallet !== undefined && !isAddress) {
    return yield* new Failure({ message: `--wallet is "${wallet}", which has a typo: its checksum is wrong.` })
  }
  const { config, database } = yield* load(file)
  const names = Names.make(config)
  yield* Effect.gen(function* () {
    const store = yield* Store.Store
    const found = yield* store.list({
      state,
      wallet,
      since,
      until,
      open: open === true ? true : ended === true ? false : undefined,
      accountId: account === "" ? undefined : yield* accountId(store, account),
      // One more, to know whether there are more.
      limit: limit + 1
    })
    const swaps = found.slice(0, limit)
    const nameOf = yield* accountNames(store)
    const now = yield* Clock.currentTimeMillis
    if (json === true) {
      const entries = swaps.map((swap) => ({
        ...entryOf(names, nameOf(swap.accountId), swap),
        waitsFor: waitsFor(swap, names)
      }))
      yield* say(JSON.stringify(entries))
    } else if (swaps.length === 0) yield* say("There are no such swaps.")
    else {
      const rows = swaps.map((swap: SwapRecord.SwapRecord) => [
        swap.id,
        span(now - swap.createdAt),
        swap.state,
        routeOf(names, swap),
        nameOf(swap.accountId),
        waitsFor(swap, names)
      ])
      yield* say(table([["id", "age", "state", "route", "account", "waits for, or why"], ...rows]))
    }
    if (found.length > limit) yield* remark(`There are more: these are the newest ${limit}. See --limit and --until.`)
  }).pipe(Effect.provide(Storage.store(database)))
})

/** Tells the story of one swap. */
export const show = Effect.fn("swaps show")(function* (flags: Pick<Flags, "config" | "raw" | "json">, named: string) {
  const { config, database } = yield* load(flags.config)
  const names = Names.make(config)
  yield* Effect.gen(function* () {
    const store = yield* Store.Store
    const swap = yield* find(store, named)
    const account = (yield* accountNames(store))(swap.accountId)
    const tale = yield* story(store, names, account, swap)
    yield* say(flags.json === true ? JSON.stringify(tale.json(flags.raw === true), null, 2) : tale.text)
  }).pipe(Effect.provide(Storage.store(database)))
})
