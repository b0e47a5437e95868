/**
 * The gas of a collection: what our contracts use, which is constant, and what the token uses, which is measured. Receipts
 * correct the result.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type Address, concatHex, encodeFunctionData, erc20Abi, type Hex, toHex } from "viem"
import { remember } from "../../../concurrency/boundedMap.js"
import { together } from "../../../concurrency/together.js"
import * as WarmReads from "../../../concurrency/warmReads.js"
import type { CollectJob } from "../../../domain/Job.js"
import { paymentMethodOf } from "../../../domain/SwapRecord.js"
import type { ChainUnavailable } from "../../ChainError.js"
import type { Vaults } from "../accounts/vaults.js"
import type { NodeQuorum } from "../nodes/nodeQuorum.js"
import { quantity } from "../nodes/parse.js"
import { isRevert, orRevert } from "../transactions/reverts.js"
import { addressOf } from "../transactions/vaultCalls.js"
import { estimate } from "./estimateGas.js"
import { most } from "./feeEstimate.js"
import type { FeeModel } from "./feeModels.js"
import { stranger } from "./sampleTransactions.js"

/**
 * A collection with an authorization from a wallet that has never been used, one from a wallet that has native tokens,
 * and a collection from a delegated wallet.
 */
export type CollectForm = "first" | "firstOfFunded" | "later"

/** The gas of collections of the token in the gas snapshot of `@geoswap/contracts`, and of that token itself. */
export const measured = {
  forms: { first: 108_180n, firstOfFunded: 95_680n, later: 68_593n } satisfies Record<CollectForm, bigint>,
  transfer: 34_153n,
  /** The gas of reading a balance again in the same transaction. A collection reads the vault's balance twice. */
  balance: 675n
} as const

/** What a token uses if it cannot be measured: as much as USDC behind its proxy. */
const usualToken = { transfer: 46_000n, balance: 3_000n }
/** What the first balance of a holder costs more than a later one. */
const firstBalanceGas = 17_100n

/** How long a measurement is used. A token may be upgraded. */
const ttlMillis = 600_000
const capacity = 1_000
/** How many receipts of a token are compared with the measurement, and how many are needed. */
const mostReceipts = 9
const fewestReceipts = 3
/** A smaller deviation, in percent of a collection's gas, changes nothing. A larger one counts up to the second number. */
const tolerated = 2n
const largestDeviation = 50n

/**
 * The init code of a contract that is never deployed: it calls `balanceOf(holder)` of a token twice, and returns the gas of
 * the second call.
 */
const balanceProbe = (token: Address, holder: Address): Hex => {
  const call = concatHex(["0x602060406024600073", token, "0x5afa50"])
  return concatHex(["0x6370a0823160e01b60005273", holder, "0x600452", call, "0x5a", call, "0x5a900360005260206000f3"])
}

export const make = Effect.fnUntraced(function* ({
  feeModel,
  quorum: { ask },
  vaults
}: {
  readonly feeModel: FeeModel
  readonly quorum: Pick<NodeQuorum, "ask">
  readonly vaults: Vaults
}) {
  const [vault] = vaults.all
  const clock = yield* Clock.Clock
  const measurements = WarmReads.make<typeof usualToken, ChainUnavailable>(clock, { capacity, ttlMillis })
  const latest = new Map<string, typeof usualToken>()
  const deviations = new Map<string, ReadonlyArray<bigint>>()

  /** The gas of a transfer between holders. `from` must have some of the token. */
  const transferGas = Effect.fnUntraced(function* (token: Address, from: Address, to: Address) {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, 1n] })
    const [gas, forData] = yield* together([
      estimate(ask, { from, to: token, data }),
      feeModel.estimatedDataGas({ to: token, data })
    ])
    return isRevert(gas) ? undefined : gas - forData
  })

  const balanceGas = (token: Address) =>
    ask("eth_call", ({ request }) =>
      request({ method: "eth_call", params: [{ data: balanceProbe(token, vault) }, "latest"] }).then(
        (result) => quantity(toHex(BigInt(result))),
        orRevert
      )
    ).pipe(
      Effect.map((gas) => (isRevert(gas) ? usualToken.balance : gas)),
      // The node may not support calls without a recipient.
      Effect.orElseSucceed(() => usualToken.balance)
    )

  const measure = Effect.fnUntraced(function* (token: Address, wallet: string | undefined) {
    const [fromVault, balance] = yield* together([transferGas(token, vault, stranger), balanceGas(token)])
    if (fromVault !== undefined) return { transfer: fromVault - firstBalanceGas, balance }
    const fromWallet = wallet === undefined ? undefined : yield* transferGas(token, addressOf(wallet), vault)
    return { transfer: fromWallet ?? usualToken.transfer, balance }
  })

  const gasWith = (form: CollectForm, { balance, transfer }: typeof usualToken) =>
    measured.forms[form] + transfer - measured.transfer + 2n * (balance - measured.balance)

  /** What receipts show in addition to the measurement: the second largest deviation, as one receipt may be unusual. */
  const correction = (token: string, gas: bigint): bigint => {
    const known = deviations.get(token) ?? []
    const [, usual = 0n] = known.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0))
    if (known.length < fewestReceipts || (usual < 0n ? -usual : usual) * 100n < gas * tolerated) return 0n
    const limit = (gas * largestDeviation) / 100n
    return usual > limit ? limit : most(usual, -limit)
  }

  return {
    /** Returns the gas of a separate collection, without the gas for data. `wallet` is used if the vault has no tokens. */
    gasOf: Effect.fnUntraced(function* (form: CollectForm, token: string, wallet?: string) {
      const address = addressOf(token)
      const found = yield* measurements(address, () => measure(address, wallet)).pipe(
        Effect.tap((now) => Effect.sync(() => remember(latest, address, now, capacity))),
        // If the nodes cannot measure it now, a quote charges for the last measurement.
        Effect.catch(() => Effect.succeed(latest.get(address) ?? usualToken))
      )
      const gas = gasWith(form, found)
      // Estimates vary with the amount, and one collection in 256 opens a word of the wallet's nonces.
      return ((gas + correction(address, gasWith("later", found))) * 101n) / 100n
    }),
    /** Records what a final collection in a separate transaction used, without the gas for data. */
    record: ({ operation, token }: CollectJob, gas: bigint) => {
      const found = latest.get(addressOf(token))
      if (found === undefined || operation._tag !== "evm") return
      if (operation.authorization !== undefined || paymentMethodOf(operation) !== undefined) return
      const known = deviations.get(addressOf(token)) ?? []
      const all = [...known, gas - gasWith("later", found)].slice(-mostReceipts)
      remember(deviations, addressOf(token), all, capacity)
    }
  }
})

export type CollectGas = Effect.Success<ReturnType<typeof make>>
