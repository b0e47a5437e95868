/** Verifies that a chain matches its configuration. */
import { Chain } from "@geoswap/core"
import { AccountState } from "@solana-program/token"
import * as Effect from "effect/Effect"
import type { Token } from "../../../config/Config.js"
import { Misconfigured } from "../../ChainError.js"
import { askEach } from "../../quorum.js"
import type { ChainContext } from "../context.js"
import type { Node } from "../nodes/rpcNodes.js"
import { Text } from "../nodes/rpcSchemas.js"
import { type Account, mint, readAccounts, tokenAccount } from "./tokenAccounts.js"

/** The genesis hash of Solana's mainnet. */
const mainnetGenesis = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"

const token2022 = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"

type Problems = ReadonlyArray<string>

const mintProblems = ({ address, decimals, symbol }: Token, account: Account | undefined): Problems => {
  const found = mint(account)
  if (account === undefined) return [`${symbol}: token ${address} does not exist.`]
  if (account.owner === token2022) {
    return [
      `${symbol}: ${address} is a Token-2022 mint, which is not supported. Its extensions can change the amount that arrives, block transfers or take tokens back, and wallets sign only transfers of the classic token program. Remove the token.`
    ]
  }
  if (found === undefined) {
    return [
      `${symbol}: ${address} does not belong to the classic token program. Other token programs are not supported.`
    ]
  }
  return found.decimals === decimals ? [] : [`${symbol}: expected ${decimals} decimals, got ${found.decimals}.`]
}

const inventoryProblems = (
  { address, symbol }: Token,
  vault: string,
  at: string,
  account: Account | undefined
): Problems => {
  const held = tokenAccount(account)
  if (held === undefined || held.state === AccountState.Uninitialized) {
    return [`${symbol}: the vault ${vault} does not have the associated token account ${at}. Create it.`]
  }
  if (held.owner !== vault || held.mint !== address) {
    return [`${symbol}: the vault's token account ${at} now belongs to ${held.owner}.`]
  }
  return held.state === AccountState.Frozen ? [`${symbol}: the vault's token account ${at} is frozen.`] : []
}

const tokenProblems = Effect.fnUntraced(function* (
  { config, relayer, tokenAccountOf, vault }: ChainContext,
  node: Node
) {
  const { tokens } = config
  const inventories = yield* Effect.forEach(tokens, ({ address }) => tokenAccountOf(vault.address, address))
  const [payer, ...accounts] = yield* readAccounts(node, [
    relayer.address,
    ...tokens.map(({ address }) => address),
    ...inventories
  ])
  return [
    ...tokens.flatMap((token, index) => [
      ...mintProblems(token, accounts[index]),
      ...inventoryProblems(token, vault.address, `${inventories[index]}`, accounts[tokens.length + index])
    ]),
    ...((payer?.lamports ?? 0n) > 0n ? [] : [`The relayer ${relayer.address} has no lamports. Top up the relayer.`])
  ]
})

/** Lists the nodes that are on a different network from the other nodes. */
const networkProblems = Effect.fnUntraced(function* ({ config, nodes }: ChainContext) {
  const ask = (node: Node) => node.ask("getGenesisHash", Text, (rpc) => rpc.getGenesisHash())
  const first = yield* nodes.use((node) => Effect.map(ask(node), (hash) => ({ hash, host: node.host })))
  const { answers } = yield* askEach(nodes.all, ask)
  const others = answers
    .filter(({ value }) => value !== first.hash)
    .map(({ host }) => `${host} is on a different network than ${first.host}.`)
  return config.id === Chain.solanaMainnet && first.hash !== mainnetGenesis
    ? [`${first.host} is not on Solana's mainnet, but chain id ${config.id} belongs to mainnet.`, ...others]
    : others
})

/** Verifies the configuration. Fails with a list of all problems. */
export const verify = Effect.fnUntraced(function* (context: ChainContext) {
  const { config, nodes, vault } = context
  const problems = [
    ...(config.computeUnitPrice.cap < 2n ** 64n ? [] : ["computeUnitPrice.cap does not fit into 64 bits."]),
    ...(config.computeUnitPrice.floor <= config.computeUnitPrice.cap
      ? []
      : ["computeUnitPrice.floor is above computeUnitPrice.cap."]),
    ...(vault.address === config.vault
      ? []
      : [`The configured vault is ${config.vault}, but the vault key belongs to ${vault.address}.`]),
    ...(yield* networkProblems(context)),
    ...(yield* nodes.use((node) => tokenProblems(context, node)))
  ]
  if (problems.length > 0) {
    return yield* new Misconfigured({ problems: problems.map((problem) => `${config.name}: ${problem}`) })
  }
})
