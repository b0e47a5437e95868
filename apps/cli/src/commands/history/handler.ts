/** Handles `geoswap history`: lists the swaps started on this machine. */
import { Chain, Client } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Directory from "../../chains/Directory.js"
import * as Settings from "../../config/Settings.js"
import { userKeys } from "../../keys/KeySource.js"
import * as Output from "../../output/Output.js"
import { quoteArgument, shellQuote } from "../../output/shellQuote.js"
import { formatAgo } from "../../output/time.js"
import * as Session from "../../service/Session.js"
import * as StateFiles from "../../swap/stateFiles.js"
import * as History from "../../swap/History.js"
import * as Outcome from "../../swap/outcome.js"
import { update } from "../../swap/record.js"

/** Updates the status of a swap that was pending when it was last recorded. */
const refreshEntry = (entry: History.Entry) =>
  entry.status !== "pending"
    ? Effect.succeed(entry)
    : Client.status(entry.swapId).pipe(
        Effect.flatMap((swap) => update(swap, entry)),
        // A swap whose status cannot be read must not hide the other swaps.
        Effect.catch((error) =>
          Effect.gen(function* () {
            const output = yield* Output.Output
            yield* output.notice(`${Output.sanitize(entry.swapId)}: ${Output.sanitize(error.message)}`)
            return entry
          })
        )
      )

/** Returns a function that formats a wallet: its name, if it is known without opening a key, or its short address. */
const walletFormat = Effect.gen(function* () {
  const known = (yield* userKeys).flatMap(({ name, source }) =>
    source.kind === "devnet" ? [{ name, wallet: source.wallet }] : []
  )
  return (address: string): string =>
    known.find(({ wallet }) => Chain.sameAddress(wallet.kind, wallet.address, address))?.name ??
    (address.length > 14 ? `${address.slice(0, address.startsWith("0x") ? 6 : 4)}…${address.slice(-4)}` : address)
})

/** Formats the swaps as a table or, if the table is too wide for the terminal, as two lines each. */
const formatEntries = (
  entries: ReadonlyArray<History.Entry>,
  formatWallet: (address: string) => string,
  now: number,
  width: number,
  style: Output.Style
) => {
  const rows = entries.map((entry) => ({
    started: formatAgo(Date.parse(entry.startedAt ?? entry.updatedAt), now),
    status: Outcome.formatStatus(entry.status, style),
    id: Output.sanitize(entry.swapId),
    wallet: entry.wallet === undefined ? "" : Output.sanitize(formatWallet(entry.wallet)),
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
): string =>
  others.length === 0
    ? "No swaps have been started on this machine."
    : [
        `No swaps have been started on this machine with ${url ?? "this configuration, which has no service"}.`,
        ...others.map(
          ({ swaps, url: other }) =>
            `With ${Output.sanitize(other)}: ${swaps === 1 ? "1 swap" : `${swaps} swaps`}. To list ${swaps === 1 ? "it" : "them"}, pass ${other.startsWith("http:") ? "--devnet or " : ""}--url ${shellQuote(Output.sanitize(other))}`
        )
      ].join("\n")

const show = Effect.fnUntraced(function* (entries: ReadonlyArray<History.Entry>, path: string, damaged: number) {
  const output = yield* Output.Output
  const local = yield* StateFiles.LocalStore
  const { unfinished } = yield* local.contents
  const now = yield* Clock.currentTimeMillis
  const formatWallet = yield* walletFormat
  const { url } = yield* Settings.Settings
  const others = entries.length === 0 ? yield* History.otherServices : []
  yield* output.result(
    { swaps: entries, unfinished: unfinished.map(({ flow: { id, swapId } }) => ({ flowId: id, swapId })) },
    (style) =>
      entries.length === 0 ? formatEmpty(url, others) : formatEntries(entries, formatWallet, now, output.width, style)
  )
  if (damaged > 0) {
    const lines = damaged === 1 ? "1 unreadable line" : `${damaged} unreadable lines`
    yield* output.notice(`Skipped ${lines} in ${path}.`)
  }
  if (output.mode === "terminal" || output.mode === "lines") {
    for (const { busy, flow } of unfinished) {
      yield* output.notice(
        busy
          ? `Another process is working on ${flow.id}.`
          : `Unfinished: ${flow.id}. Next: geoswap resume ${quoteArgument(flow.id)}`
      )
    }
  }
})

const showRecorded = (limit: number) =>
  Effect.flatMap(History.read, ({ damaged, entries, path }) => show(entries.slice(0, limit), path, damaged))

const showRefreshed = (limit: number) =>
  Effect.gen(function* () {
    const { damaged, entries, path } = yield* History.read
    const refreshed = yield* Effect.forEach(entries.slice(0, limit), refreshEntry, { concurrency: 4 })
    yield* show(refreshed, path, damaged)
  })

/** The layers for listing swaps without the service. */
const offline = Layer.mergeAll(StateFiles.layer, Directory.layerConfigured).pipe(Layer.provideMerge(Settings.layer))

/** Lists the swaps. */
export const run = ({ limit, refresh }: { readonly limit: number; readonly refresh: boolean }) =>
  Effect.gen(function* () {
    return refresh
      ? yield* Effect.provide(showRefreshed(limit), StateFiles.layer.pipe(Layer.provideMerge(Session.reads)))
      : yield* Effect.provide(showRecorded(limit), offline)
  })
