/** Lists and shows the stored swaps, even while servers are running. */
import { Chain } from "@geoswap/core"
import type { Store } from "@geoswap/service"
import * as Clock from "effect/Clock"
import type * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { entryOf, routeOf } from "../swaps/swapEntry.js"
import { findSwap } from "../swaps/findSwap.js"
import { Failure } from "../output/Failure.js"
import { print, printJson, printNote, printText } from "../output/print.js"
import { swapReport } from "../swaps/swapReport.js"
import { table } from "../output/table.js"
import { formatAge } from "../output/time.js"
import { waitsFor } from "../swaps/swapAdvice.js"
import { openStore } from "./openStore.js"
import type { listFlags } from "./swaps.js"

/** Returns a function that looks up an account's name by its id. */
export const accountNames = Effect.fnUntraced(function* (store: Store.Store) {
  const names = new Map((yield* store.accounts).map(({ id, name }) => [id, name]))
  return (id: string) => names.get(id) ?? id
})

const accountId = Effect.fnUntraced(function* (store: Store.Store, name: string) {
  const found = (yield* store.accounts).find((account) => account.name === name.normalize("NFC"))
  return found === undefined
    ? yield* new Failure({ message: `No account is named "${name}". List the accounts: geoswap-server keys list` })
    : found.id
})

/** Lists swaps, newest first. */
export const list = Effect.fn("swaps list")(function* (
  flags: Command.Command.Config.Infer<typeof listFlags>,
  configFile?: string
) {
  const { account, ended, json, limit, open, since, state, until, wallet } = flags
  // A mistyped address must be rejected. Otherwise, it would look like a wallet that has no swaps.
  const isAddress = (["evm", "solana"] as const).some((family) => Chain.isAddress(family, wallet))
  if (wallet !== undefined && !isAddress) {
    return yield* new Failure({
      message: `--wallet ${wallet} has a typo: its checksum is invalid. Copy the address again.`
    })
  }
  const { names, store } = yield* openStore(configFile)
  const found = yield* store.list({
    state,
    wallet,
    since,
    until,
    open: open ? true : ended ? false : undefined,
    accountId: account === undefined ? undefined : yield* accountId(store, account),
    // The list reads one extra row, to determine whether there are more swaps.
    limit: limit + 1
  })
  const swaps = found.slice(0, limit)
  const nameOf = yield* accountNames(store)
  const now = yield* Clock.currentTimeMillis
  if (json) {
    const entries = swaps.map((swap) => ({
      ...entryOf(names, nameOf(swap.accountId), swap),
      waitsFor: waitsFor(swap, names)
    }))
    yield* printJson({ swaps: entries, more: found.length > limit })
  } else if (swaps.length === 0) yield* print("No swaps found.")
  else {
    const rows = swaps.map((swap) => [
      swap.id,
      formatAge(now - swap.createdAt),
      swap.state,
      routeOf(names, swap),
      nameOf(swap.accountId),
      waitsFor(swap, names)
    ])
    yield* print(table([["id", "age", "state", "route", "account", "waiting for, or reason"], ...rows]))
  }
  if (found.length > limit) yield* printNote(`Showing the newest ${limit} swaps. Use --limit and --until to see more.`)
}, Effect.scoped)

interface ShowFlags {
  readonly swap: string
  readonly raw: boolean
  readonly json: boolean
}

/** Shows one swap. */
export const show = Effect.fn("swaps show")(function* (flags: ShowFlags, configFile?: string) {
  const { names, store } = yield* openStore(configFile)
  const swap = yield* findSwap(store, flags.swap)
  const account = (yield* accountNames(store))(swap.accountId)
  const report = yield* swapReport(store, names, account, swap)
  yield* flags.json ? print(JSON.stringify(report.json(flags.raw), null, 2)) : printText(report.text)
}, Effect.scoped)
