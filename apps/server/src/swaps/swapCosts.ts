/** What a swap's transactions cost on EVM chains, as recorded when they were final. */
import { Chain } from "@geoswap/core"
import type { SpentGas, SwapRecord } from "@geoswap/service"
import { formatWhole, type Names } from "../output/displayNames.js"
import { formatDecimal } from "../output/numbers.js"
import { table } from "../output/table.js"
import { formatTime } from "../output/time.js"

type Entries = ReadonlyArray<SpentGas.SpentGas>

const sum = (entries: Entries) => entries.reduce((total, { share }) => total + share, 0n)

const amountOf = (names: Names, chainId: number, wei: bigint) => names.amount(chainId, Chain.nativeToken.evm, wei)

/** The swap's part of the costs for each kind of transaction, in wei. `null` if nothing is recorded. */
export const costFields = (entries: Entries) => {
  const spent = (kind: SwapRecord.Kind) => {
    const own = entries.filter((entry) => entry.kind === kind)
    return own.length === 0 ? null : sum(own)
  }
  return { collectSpentWei: spent("collect"), deliverSpentWei: spent("deliver"), refundSpentWei: spent("refund") }
}

/** Formats the swap's part of the costs on each chain, such as `0.0002 ETH on Base`. */
export const totalsOf = (names: Names, entries: Entries) => {
  const chains = [...new Set(entries.map(({ chainId }) => chainId))]
  const totals = chains.map((id) => {
    const own = entries.filter(({ chainId }) => chainId === id)
    return `${amountOf(names, id, sum(own))} on ${names.chain(id)}`
  })
  return totals.length === 0 ? "not recorded" : totals.join(", ")
}

/** Formats the entries as a table. */
export const costTable = (names: Names, entries: Entries) =>
  table(
    entries.map(({ chainId, gasPrice, gasUsed, hash, kind, settled, share }) => [
      `${kind} on ${names.chain(chainId)}`,
      hash,
      `${formatDecimal(`${gasUsed}`)} gas at ${formatWhole(gasPrice, 9)} gwei`,
      settled === 1 ? "settled 1 swap" : `settled ${settled} swaps`,
      `${amountOf(names, chainId, share)} for this swap`
    ])
  )

/** The entries as JSON, with amounts in wei. */
export const costEntries = (entries: Entries) =>
  entries.map(({ at, chainId, cost, gasPrice, gasUsed, hash, kind, settled, share }) => ({
    kind,
    chain: chainId,
    hash,
    gasUsed,
    gasPrice,
    cost,
    settled,
    share,
    recordedAt: formatTime(at)
  }))
