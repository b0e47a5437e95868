/** Shows what the vaults hold, how much of it is reserved, the relayers' gas balances, and what they have pending. */
import { Amount, Chain } from "@geoswap/core"
import { type Chains, type Config, type LaneStore, type Store } from "@geoswap/service"
import * as Effect from "effect/Effect"
import { type VaultUses, countVaultUses } from "../inventory/vaultUse.js"
import { addressKey, decimalOf, shortenAddress, tokensOf, formatWhole } from "../output/displayNames.js"
import { failureList } from "../output/Failure.js"
import { formatDecimal } from "../output/numbers.js"
import { print, printJson } from "../output/print.js"
import { table } from "../output/table.js"
import { openChains } from "./openChains.js"

interface Holding {
  readonly token: string
  readonly symbol: string | null
  readonly decimals: number | null
  readonly vault: bigint
  readonly promised: bigint
}

/** An older vault, into which only wallets with older delegations still pay. */
interface OlderVault {
  readonly address: string
  readonly openSwaps: number
  readonly holdings: ReadonlyArray<Pick<Holding, "token" | "symbol" | "decimals" | "vault">>
}

interface Flags {
  /** The minimum gas balance, in whole native tokens. */
  readonly minGas: string
  readonly json: boolean
}

const freeOf = ({ promised, vault }: Holding) => vault - promised

/** Formats an amount in tokens, or in the smallest unit if the token is no longer configured. */
const formatAmount = ({ decimals }: Pick<Holding, "decimals">, amount: bigint) => formatWhole(amount, decimals ?? 0)

const nameOf = ({ symbol, token }: Pick<Holding, "symbol" | "token">) => symbol ?? shortenAddress(token)

interface Relayer {
  readonly address: string
  readonly gas: bigint
  /** The most that its pending transactions may cost. */
  readonly pendingCost: bigint
  readonly nonces: { readonly stored: number; readonly onChain: number } | undefined
}

/** What a relayer can still pay for. Negative if its balance does not cover all of its pending transactions. */
const leftOf = ({ gas, pendingCost }: Pick<Relayer, "gas" | "pendingCost">) => gas - pendingCost

const readRelayer = Effect.fnUntraced(function* (
  store: Store.Store,
  lanes: ReadonlyArray<LaneStore.Lane>,
  chain: Chains.Chain,
  address: string
) {
  const gas = yield* chain.balanceOf(Chain.nativeToken[chain.family], address)
  const lane = lanes.find(({ chainId, relayer }) => chainId === chain.id && relayer === addressKey(address))
  const nonces =
    chain.family === "evm"
      ? { stored: yield* store.nextNonce(chain.id, address), onChain: yield* chain.relayerNonce(address) }
      : undefined
  return { address, gas, pendingCost: lane?.pendingCost ?? 0n, nonces } satisfies Relayer
})

/** What the database has about all chains. */
interface Stored {
  readonly reserved: ReadonlyArray<Store.Reserved>
  readonly lanes: ReadonlyArray<LaneStore.Lane>
  readonly uses: VaultUses
}

/** Reads the balances on a chain and lists the problems found. In JSON, they do not depend on the locale. */
const readChain = Effect.fnUntraced(function* (
  store: Store.Store,
  chain: Chains.Chain,
  config: Config.Config["chains"][number],
  { lanes, reserved, uses }: Stored,
  { json, minGas }: Flags
) {
  const inTokens = (amount: bigint, decimals: number | null) =>
    json ? decimalOf(amount, decimals ?? 0) : formatWhole(amount, decimals ?? 0)
  // Of the first vault. Older vaults deliver nothing, and hold what they owe.
  const reservations = new Map<string, bigint>()
  for (const { amount, chainId, token, vault } of reserved) {
    if (chainId !== chain.id || vault !== addressKey(chain.vault)) continue
    reservations.set(token, (reservations.get(token) ?? 0n) + amount)
  }
  const listed = tokensOf(config)
  const known = new Set(listed.map(({ address }) => addressKey(address)))
  const unconfigured = [...reservations.keys()]
    .filter((token) => !known.has(token))
    .map((address) => ({ address, symbol: null, decimals: null }))
  const holdings = yield* Effect.forEach(
    [...listed, ...unconfigured],
    ({ address, decimals, symbol }) =>
      Effect.map(chain.balanceOf(address, chain.vault), (vault): Holding => ({
        token: address,
        symbol,
        decimals,
        vault,
        promised: reservations.get(addressKey(address)) ?? 0n
      })),
    { concurrency: "unbounded" }
  )
  const olderVaults = yield* Effect.forEach(
    chain.vaults.slice(1),
    (vault) =>
      Effect.forEach(listed, ({ address, decimals, symbol }) =>
        Effect.map(chain.balanceOf(address, vault), (held) => ({ token: address, symbol, decimals, vault: held }))
      ).pipe(Effect.map((held): OlderVault => ({ address: vault, openSwaps: uses(chain.id, vault), holdings: held }))),
    { concurrency: "unbounded" }
  )
  const relayers = yield* Effect.forEach(chain.relayers, (relayer) => readRelayer(store, lanes, chain, relayer), {
    concurrency: "unbounded"
  })

  const where = `Chain ${chain.id} (${chain.name})`
  const { symbol } = config.native
  const least = Amount.parse(minGas, Chain.nativeDecimals[chain.family]) ?? 0n
  const problems = holdings
    .filter((holding) => freeOf(holding) < 0n)
    .map((holding) => {
      const { decimals } = holding
      const [missing, promised] = [-freeOf(holding), holding.promised].map((amount) => inTokens(amount, decimals))
      return `${where}: ${promised} ${nameOf(holding)} is reserved, but the vault is short by ${missing}. Send that amount to the vault, or swaps will be refunded.`
    })
  for (const { address, gas } of relayers) {
    if (gas === 0n) problems.push(`${where}: the relayer ${address} has no ${symbol} for gas. Top it up.`)
    else if (gas < least) {
      problems.push(
        `${where}: the relayer ${address} has ${inTokens(gas, Chain.nativeDecimals[chain.family])} ${symbol} for gas, which is less than ${json ? minGas : formatDecimal(minGas)}. Top it up.`
      )
    }
  }
  return { holdings, olderVaults, relayers, problems }
})

const olderText = ({ address, holdings, openSwaps }: OlderVault) => {
  const held = holdings.filter(({ vault }) => vault > 0n).map((one) => `${formatAmount(one, one.vault)} ${nameOf(one)}`)
  const swaps = openSwaps === 1 ? "1 open swap uses it" : `${openSwaps} open swaps use it`
  return `  older vault ${address} with ${held.length === 0 ? "nothing" : held.join(", ")}; ${swaps}`
}

type Answer = Effect.Success<ReturnType<typeof readChain>>

const textOf = (chain: Chains.Chain, symbol: string, answer: Answer | undefined) => {
  const title = `${chain.name} (${chain.family} ${chain.id}), vault ${chain.vault}`
  if (answer === undefined) return `${title}\n  could not be read`
  const { holdings, olderVaults, relayers } = answer
  const rows = holdings.map((holding) => [
    `  ${nameOf(holding)}`,
    ...[holding.vault, holding.promised, freeOf(holding)].map((amount) => formatAmount(holding, amount))
  ])
  const relayerText = (relayer: Relayer) => {
    const { address, gas, nonces, pendingCost } = relayer
    const inNative = (amount: bigint) => `${formatWhole(amount, Chain.nativeDecimals[chain.family])} ${symbol}`
    const pending =
      pendingCost === 0n
        ? ""
        : `, of which pending transactions may cost ${inNative(pendingCost)} and leave ${inNative(leftOf(relayer))}`
    const counted =
      nonces === undefined ? "" : `; next nonce: ${nonces.stored} in the database, ${nonces.onChain} final on chain`
    return `  relayer ${address} with ${inNative(gas)} for gas${pending}${counted}`
  }
  return [
    title,
    table([["  token", "in the vault", "reserved", "free"], ...rows]),
    ...olderVaults.map(olderText),
    ...relayers.map(relayerText)
  ].join("\n")
}

const relayerJson = (address: string, relayer: Relayer | undefined) => ({
  address,
  gas: relayer === undefined ? null : `${relayer.gas}`,
  pendingCost: relayer === undefined ? null : `${relayer.pendingCost}`,
  left: relayer === undefined ? null : `${leftOf(relayer)}`,
  nextNonce: relayer?.nonces?.stored ?? null,
  chainNonce: relayer?.nonces?.onChain ?? null
})

const jsonOf = (chain: Chains.Chain, answer: Answer | undefined) => ({
  id: chain.id,
  name: chain.name,
  kind: chain.family,
  answered: answer !== undefined,
  vault: chain.vault,
  /** The first of `relayers`. */
  relayer: relayerJson(chain.relayer, answer?.relayers[0]),
  relayers: chain.relayers.map((address, index) => relayerJson(address, answer?.relayers[index])),
  tokens: (answer?.holdings ?? []).map((holding) => ({
    address: holding.token,
    symbol: holding.symbol,
    decimals: holding.decimals,
    vault: `${holding.vault}`,
    promised: `${holding.promised}`,
    free: `${freeOf(holding)}`
  })),
  olderVaults: (answer?.olderVaults ?? []).map(({ address, holdings, openSwaps }) => ({
    address,
    openSwaps,
    tokens: holdings.map(({ decimals, symbol, token, vault }) => ({
      address: token,
      symbol,
      decimals,
      vault: `${vault}`
    }))
  }))
})

/** Prints the inventory, and fails if there are problems. */
export const inventory = Effect.fn("inventory")(function* (flags: Flags, configFile?: string) {
  const { chains, config, store } = yield* openChains(configFile)
  const reserved = [...(yield* store.reserved), ...(yield* store.owed)]
  const stored = { reserved, lanes: yield* store.lanes.all, uses: yield* countVaultUses(store, chains) }
  const read = yield* Effect.forEach(
    config.chains,
    Effect.fnUntraced(function* (settings) {
      const chain = chains.get(settings.id)
      if (chain === undefined) return []
      const found = yield* Effect.catchTag(
        readChain(store, chain, settings, stored, flags),
        "ChainUnavailable",
        ({ message }) => Effect.succeed(`Chain ${chain.id} (${chain.name}) could not be read: ${message}`)
      )
      return typeof found === "string"
        ? [{ chain, settings, answer: undefined, problems: [found] }]
        : [{ chain, settings, answer: found, problems: found.problems }]
    }),
    { concurrency: "unbounded" }
  )
  const all = read.flat()
  const unconfiguredChains = new Set(reserved.map(({ chainId }) => chainId).filter((chainId) => !chains.has(chainId)))

  const problems = [
    ...all.flatMap((each) => each.problems),
    ...Array.from(
      unconfiguredChains,
      (chainId) => `Chain ${chainId} has reserved tokens but is not configured. Add it to the configuration.`
    )
  ]
  yield* flags.json
    ? printJson({ chains: all.map(({ answer, chain }) => jsonOf(chain, answer)), problems })
    : print(all.map(({ answer, chain, settings }) => textOf(chain, settings.native.symbol, answer)).join("\n\n"))
  if (problems.length > 0) return yield* failureList("The inventory has problems:", problems)
}, Effect.scoped)
