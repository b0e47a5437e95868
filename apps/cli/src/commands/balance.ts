/** Handles `geoswap balance`: shows the wallets' balances, as read from the user's nodes. */
import { Amount } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Directory from "../chains/Directory.js"
import { readBalances } from "../chains/nodes.js"
import * as Keys from "../keys/Keys.js"
import { families } from "../keys/KeySource.js"
import * as Exit from "../output/Exit.js"
import { formatRounded } from "../output/numbers.js"
import * as Output from "../output/Output.js"
import * as Session from "../service/Session.js"
import { walletName } from "../swap/recipientLabel.js"

const readOn = Effect.fnUntraced(function* (chain: Directory.KnownChain, wallet: string) {
  const { rpcUrl } = chain
  const unread = (reason: string, failed: boolean) => ({ chain, wallet, balances: [], reason, failed })
  if (rpcUrl === undefined) return unread(`no node is configured: set chains.${chain.id}.rpcUrl`, false)
  return yield* Effect.match(readBalances(chain, rpcUrl, wallet, chain.tokens), {
    onSuccess: (balances) => ({ chain, wallet, balances, reason: undefined, failed: false }),
    onFailure: ({ message }) => unread(message, true)
  })
})

const walletsOf = Effect.fnUntraced(function* (chains: ReadonlyArray<Directory.KnownChain>) {
  const wallets = yield* Effect.forEach(
    families.filter((family) => chains.some((chain) => chain.family === family)),
    Effect.fnUntraced(function* (family) {
      const address = yield* Keys.addressOf(family)
      return address === undefined ? [] : [{ family, address, name: yield* walletName(family, address) }]
    })
  )
  return wallets.flat()
})

/** Shows the balances. */
export const run = Effect.fnUntraced(function* (args: { readonly chain: string | undefined }) {
  const chains = yield* Directory.chooseChains(args.chain)
  const wallets = yield* walletsOf(chains)
  if (wallets.length === 0) {
    return yield* Keys.keyError("No wallet is configured.", "Pass --wallet <address>, or add a key with geoswap init.")
  }
  const pairs = chains.flatMap((chain) =>
    wallets.filter(({ family }) => family === chain.family).map(({ address }) => [chain, address] as const)
  )
  const reads = yield* Effect.forEach(pairs, ([chain, wallet]) => readOn(chain, wallet), { concurrency: 4 })
  const rows = reads.flatMap(({ balances, chain, wallet }) =>
    balances.map(({ amount, token }) => ({
      chainId: chain.id,
      chain: chain.name,
      wallet,
      symbol: token.symbol,
      token: token.address,
      amount: Amount.format(amount, token.decimals),
      raw: amount
    }))
  )
  const unread = reads.flatMap(({ chain, reason }) =>
    reason === undefined ? [] : [{ chainId: chain.id, chain: chain.name, reason }]
  )
  const addresses = Object.fromEntries(wallets.map(({ address, family }) => [family, address]))
  yield* Output.result({ wallets: addresses, balances: rows, unread }, ({ dim }) =>
    [
      ...wallets.map(
        ({ address, family, name }) =>
          `${Keys.familyName[family]} wallet ${address}${name === undefined ? "" : ` (${name})`}`
      ),
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
  for (const { chain, reason } of unread) yield* Output.hint(`${chain}: ${reason}`)
  for (const { listed, name } of chains.filter((chain) => chain.listed.length > 0)) {
    const count = listed.length === 1 ? "1 token that is not pinned" : `${listed.length} tokens that are not pinned`
    yield* Output.hint(`${name}: skipped ${count}. To list the tokens, run 'geoswap tokens'.`)
  }
  if (reads.some(({ failed }) => failed)) return yield* Exit.end(Exit.codes.error)
}, Effect.provide(Session.reads))
