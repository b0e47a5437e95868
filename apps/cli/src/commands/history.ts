/** Handles `geoswap history`: lists the swaps started on this machine. */
import { Chain, Client } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Settings from "../config/Settings.js"
import * as Output from "../output/Output.js"
import { quoteArgument, shellQuote } from "../output/shellQuote.js"
import { formatAgo } from "../output/time.js"
import * as Session from "../service/Session.js"
import * as StateFiles from "../swap/stateFiles.js"
import * as History from "../swap/History.js"
import * as Outcome from "../swap/outcome.js"
import { update } from "../swap/record.js"

/** Updates the status of a swap that was pending when it was last recorded. */
const refreshEntry = (entry: History.Entry) =>
  entry.status !== "pending"
    ? Effect.succeed(entry)
    : Client.status(entry.swapId).pipe(
        Effect.flatMap((swap) => update(swap, entry)),
        // A swap whose status cannot be read must not hide the other swaps.
        Effect.catch((error) =>
          Effect.gen(function* () {
            yield* Output.notice(`${Output.sanitize(entry.swapId)}: ${Output.sanitize(error.message)}`)
            return entry
          })
        )
      )

/** Formats a wallet: its name on a devnet, or its short address. */
const formatWallet = (wallets: Settings.Settings["wallets"], address: string) =>
  wallets.find((wallet) => Chain.sameAddress(wallet.family, wallet.address, address))?.name ??
  (address.length > 14 ? `${address.slice(0, address.startsWith("0x") ? 6 : 4)}…${address.slice(-4)}` : address)

/** Formats the swaps as a table or, if the table is too wide for the terminal, as two lines each. */
const formatEntries = (
  entries: ReadonlyArray<History.Entry>,
  wallets: Settings.Settings["wallets"],
  now: number,
  width: number,
  style: Output.Style
) => {
  const rows = entries.map((entry) => ({
    started: formatAgo(Date.parse(entry.startedAt ?? entry.updatedAt), now),
    status: Outcome.formatStatus(entry.status, style),
    id: Output.sanitize(entry.swapId),
    wallet: entry.wallet === undefined ? "" : Output.sanitize(formatWallet(wallets, entry.wallet)),
    pair: Outcome.formatPair(entry) ?? ""
  }))
  const table = Output.table(
    rows.map(({ id, pair, started, status, wallet }) => [started, status, id, wallet, pair]),
    { head: ["started", "status", "swap id", "wallet", "swap"], style: style.dim }
  )
  if (Output.fits(table, width)) return table
  return rows
    .map(({ id, pair, started, status, wallet }) =>
      [`${status} ${style.dim(started)} ${id}`, `  ${pair}${wallet === "" ? "" : `, paid by ${wallet}`}`]
        .map((line, at) => Output.wrapLine(line, width, at === 0 ? "" : "  "))
        .join("\n")
    )
    .join("\n")
}

/** Describes an empty history. Each service has its own, so the user may be looking for the swaps of another one. */
const formatEmpty = (
  url: string | undefined,
  others: ReadonlyArray<{ readonly url: string; readonly swaps: number }>
) =>
  others.length === 0
    ? "No swaps have been started on this machine."
    : [
        `No swaps have been started on this machine with ${url ?? "this configuration, which has no service"}.`,
        ...others.map(
          ({ swaps, url: other }) =>
            `With ${Output.sanitize(other)}: ${swaps === 1 ? "1 swap" : `${swaps} swaps`}. To list ${swaps === 1 ? "it" : "them"}, pass ${other.startsWith("http:") ? "--devnet or " : ""}--url ${shellQuote(Output.sanitize(other))}`
        )
      ].join("\n")

const show = Effect.fnUntraced(function* <E, R>(
  limit: number,
  read: (entry: History.Entry) => Effect.Effect<History.Entry, E, R>
) {
  const { damaged, entries: all, path } = yield* History.read
  const entries = yield* Effect.forEach(all.slice(0, limit), read, { concurrency: 4 })
  const output = yield* Output.Output
  const local = yield* StateFiles.LocalStore
  const { unfinished } = yield* local.contents
  const now = yield* Clock.currentTimeMillis
  const { url, wallets } = yield* Settings.Settings
  const others = entries.length === 0 ? yield* History.otherServices : []
  yield* Output.result(
    { swaps: entries, unfinished: unfinished.map(({ flow: { id, swapId } }) => ({ flowId: id, swapId })) },
    (style) =>
      entries.length === 0 ? formatEmpty(url, others) : formatEntries(entries, wallets, now, output.width, style)
  )
  if (damaged > 0) {
    const lines = damaged === 1 ? "1 unreadable line" : `${damaged} unreadable lines`
    yield* Output.notice(`Skipped ${lines} in ${path}.`)
  }
  if (!output.isJson) {
    for (const { busy, flow } of unfinished) {
      yield* Output.notice(
        busy
          ? `Another process is working on ${flow.id}.`
          : `Unfinished: ${flow.id}. Next: geoswap resume ${quoteArgument(flow.id)}`
      )
    }
  }
})

/** Lists the swaps. Without `refresh`, the service is not contacted. */
export const run = ({ limit = 20, refresh }: { readonly limit: number | undefined; readonly refresh: boolean }) =>
  refresh
    ? Effect.provide(show(limit, refreshEntry), StateFiles.layer.pipe(Layer.provideMerge(Session.reads)))
    : Effect.provide(show(limit, Effect.succeed), StateFiles.layer.pipe(Layer.provideMerge(Session.offline)))
