/** Handles `geoswap balance`: shows the wallets' balances, as read from the user's nodes. */
import { Amount } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Directory from "../../chains/Directory.js"
import { type Balance, readBalances } from "../../chains/nodes.js"
import * as Exit from "../../output/Exit.js"
import * as Keys from "../../keys/Keys.js"
import { formatRounded } from "../../output/numbers.js"
import * as Output from "../../output/Output.js"
import * as Session from "../../service/Session.js"
import { walletName } from "../../swap/recipientLabel.js"

type Read =
  | {
      readonly chain: Directory.KnownChain
      readonly wallet: string
      readonly balances: ReadonlyArray<Balance>
    }
  | { readonly chain: Directory.KnownChain; readonly reason: string; readonly failed: boolean }

const readOn = (chain: Directory.KnownChain, wallet: string): Effect.Effect<Read> => {
  const { rpcUrl } = chain
  if (rpcUrl === undefined) {
    const reason = `no node is configured: set chains.${chain.id}.rpcUrl`
    return Effect.succeed({ chain, reason, failed: false })
  }
  return Effect.match(readBalances(chain, rpcUrl, wallet, chain.tokens), {
    onSuccess: (balances) => ({ chain, wallet, balances }),
    onFailure: ({ message }) => ({ chain, reason: message, failed: true })
  })
}

const showBalances = Effect.fnUntraced(function* (named: Option.Option<string>) {
  const output = yield* Output.Output
  const { chains } = yield* Directory.Directory
  const chosen = Option.isSome(named) ? [yield* Directory.resolveChain(named.value)] : chains
  const families = new Set(chosen.map(({ kind }) => kind))
  const wallets = {
    evm: families.has("evm") ? yield* Keys.addressOf("evm") : undefined,
    solana: families.has("solana") ? yield* Keys.addressOf("solana") : undefined
  }
  const walletsByChain = chosen.flatMap((chain) => {
    const wallet = wallets[chain.kind]
    return wallet === undefined ? [] : [{ chain, wallet }]
  })
  if (walletsByChain.length === 0) {
    return yield* new Keys.KeyError({
      message: "No wallet is configured.",
      next: "Pass --wallet <address>, or add a key with geoswap init."
    })
  }
  const reads = yield* Effect.forEach(walletsByChain, ({ chain, wallet }) => readOn(chain, wallet), { concurrency: 4 })
  const rows = reads.flatMap((read) =>
    "balances" in read
      ? read.balances.map(({ amount, token }) => ({
          chainId: read.chain.id,
          chain: read.chain.name,
          wallet: read.wallet,
          symbol: token.symbol,
          token: token.address,
          amount: Amount.format(amount, token.decimals),
          raw: amount
        }))
      : []
  )
  const unread = reads.flatMap((read) =>
    "reason" in read ? [{ chainId: read.chain.id, chain: read.chain.name, reason: read.reason }] : []
  )
  const names = {
    evm: wallets.evm === undefined ? undefined : yield* walletName("evm", wallets.evm),
    solana: wallets.solana === undefined ? undefined : yield* walletName("solana", wallets.solana)
  }
  const formatWallet = ({ kind }: Directory.KnownChain, wallet: string) =>
    `${Keys.familyName[kind]} wallet ${wallet}${names[kind] === undefined ? "" : ` (${names[kind]})`}`
  yield* output.result({ wallets, balances: rows, unread }, ({ dim }) =>
    [
      ...new Set(walletsByChain.map(({ chain, wallet }) => formatWallet(chain, wallet))),
      ...(rows.length === 0
        ? []
        : [
            Output.table(
              rows.map(({ amount, chain, symbol }) => [chain, formatRounded(amount), symbol]),
              { head: ["chain", "amount", "token"], right: [1], style: dim }
            )
          ])
    ].join("\n")
  )
  if (output.mode === "terminal" || output.mode === "lines") {
    for (const { chain, reason } of unread) yield* output.notice(`${chain}: ${reason}`)
    for (const { listed, name } of chosen.filter((chain) => chain.listed.length > 0)) {
      const count = listed.length === 1 ? "1 token that is not pinned" : `${listed.length} tokens that are not pinned`
      yield* output.notice(`${name}: skipped ${count}. To list the tokens, run 'geoswap tokens'.`)
    }
  }
  if (reads.some((read) => "failed" in read && read.failed)) return yield* Exit.end(Exit.codes.error)
})

/** Shows the balances. */
export const run = ({ chain }: { readonly chain: Option.Option<string> }) =>
  Effect.provide(showBalances(chain), Session.reads)
