/** Rules that involve several fields. They are checked once every field is valid. */
import { Chain } from "@geoswap/core"
import type { EvmChain } from "./chainSchemas.js"
import type { Config } from "./Config.js"
import { fixed } from "./decimal.js"
import { quote } from "./formatValue.js"

type Problems = ReadonlyArray<string>

const unless = (isValid: boolean, problem: string): Problems => (isValid ? [] : [problem])

/** Describes every entry of a list that repeats an earlier entry. */
const repeats = (list: string, keys: ReadonlyArray<string | number>, field = ""): Problems =>
  keys.flatMap((key, index) => {
    const first = keys.indexOf(key)
    const other = `${list.slice(list.lastIndexOf(".") + 1)}[${first}]${field}`
    return unless(first === index, `${list}[${index}]${field}: must differ from ${other}.`)
  })

/** Each token must have what its payment methods require. */
const paymentProblems = ({ payments, tokens }: EvmChain, at: string): Problems =>
  tokens.flatMap(({ payments: { methods = [], ...given } = {} }, index) => {
    const field = `${at}.tokens[${index}].payments`
    const domain = methods.find((method) => method !== "permit2")
    const permit2 = methods.find((method) => method !== "eip3009")
    return [
      ...repeats(`${field}.methods`, methods),
      ...(["name", "version"] as const).flatMap((name) =>
        domain === undefined || name in given
          ? []
          : [`${field}.${name}: is missing, but ${quote(domain)} requires the ${name} in the token's EIP-712 domain.`]
      ),
      ...(permit2 === undefined || payments.permit2
        ? []
        : [`${field}.methods: ${quote(permit2)} requires Permit2. Set ${at}.payments.permit2 to true.`])
    ]
  })

/** Amounts must increase, and only the last tier covers all of them. */
const finalityProblems = ({ finality }: EvmChain, at: string): Problems =>
  finality.flatMap(({ upToUsd }, index) => {
    const field = `${at}.finality[${index}].upToUsd`
    if (index === finality.length - 1) {
      return unless(upToUsd === undefined, `${field}: is not allowed in the last tier, which covers all other amounts.`)
    }
    if (upToUsd === undefined) return [`${field}: is missing. Only the last tier covers all other amounts.`]
    const before = finality[index - 1]?.upToUsd ?? 0
    return unless(upToUsd > before, `${field}: expected a number greater than ${before}, got ${upToUsd}.`)
  })

const evmProblems = (chain: EvmChain, at: string): Problems => {
  const { id, keys, payments, rpcUrls, vaults, wsUrls = rpcUrls } = chain
  return [
    ...unless(id !== Chain.solanaMainnet, `${at}.id: ${id} is Solana's mainnet, but kind is "evm".`),
    ...unless(
      wsUrls.length === rpcUrls.length,
      `${at}.wsUrls: expected ${rpcUrls.length} (the number of rpcUrls), got ${wsUrls.length}. Write "" for a node without one.`
    ),
    // Each vault has exactly one account contract, and each account contract pays into exactly one vault.
    ...(["address", "delegate"] as const).flatMap((field) =>
      repeats(
        `${at}.vaults`,
        vaults.map((vault) => vault[field]),
        `.${field}`
      )
    ),
    ...repeats(
      `${at}.payments.targets`,
      payments.targets.map(({ address }) => address),
      ".address"
    ),
    ...paymentProblems(chain, at),
    ...finalityProblems(chain, at),
    ...unless(
      keys.relayer === undefined || keys.relayers === undefined,
      `${at}.keys.relayer: is not allowed together with relayers. Move it into relayers.`
    ),
    ...repeats(`${at}.keys.relayers`, keys.relayers ?? [])
  ]
}

const chainProblems = (chain: Config["chains"][number], at: string): Problems => {
  const { kind, quorum = 1, rpcUrls, sendUrls = [], tokens } = chain
  return [
    // A node that is listed twice would be counted twice toward the quorum.
    ...repeats(
      `${at}.rpcUrls`,
      rpcUrls.map((url) => new URL(url).href)
    ),
    ...repeats(
      `${at}.sendUrls`,
      sendUrls.map((url) => new URL(url).href)
    ),
    ...unless(
      quorum <= rpcUrls.length,
      `${at}.quorum: expected at most ${rpcUrls.length} (the number of rpcUrls), got ${quorum}.`
    ),
    ...repeats(
      `${at}.tokens`,
      tokens.map(({ address }) => address),
      ".address"
    ),
    ...repeats(
      `${at}.tokens`,
      tokens.map(({ symbol }) => symbol.toLowerCase()),
      ".symbol"
    ),
    ...tokens.flatMap(({ address }, index) =>
      unless(
        address !== Chain.nativeToken[kind],
        `${at}.tokens[${index}].address: is the native token. Remove it, because the native token is always available.`
      )
    ),
    ...(chain.kind === "evm" ? evmProblems(chain, at) : [])
  ]
}

/** All assets of the chains must have a price in the venue's table. */
const priceProblems = ({ chains, venue }: Config): Problems => {
  if (venue.kind !== "table") return []
  /** The first location that uses an asset. */
  const assets = new Map<string, string>()
  for (const [index, { native, tokens }] of chains.entries()) {
    for (const [token, { asset, symbol }] of [native, ...tokens].entries()) {
      const at = `chains[${index}].${token === 0 ? "native" : `tokens[${token - 1}]`}`
      const name = asset ?? symbol
      if (!assets.has(name)) assets.set(name, at)
    }
  }
  return [...assets].flatMap(([asset, at]) =>
    unless(Object.hasOwn(venue.prices, asset), `venue.prices: has no price for ${quote(asset)}, which ${at} requires.`)
  )
}

const feeProblems = ({ chains, fees: { baseFeeBps, tiers, token }, quotes: { maxDriftBps } }: Config): Problems => [
  ...repeats(
    "fees.tiers",
    tiers.map(({ tier }) => tier),
    ".tier"
  ),
  ...tiers.flatMap((tier, index) => {
    const before = tiers[index - 1] ?? { minimum: "-1", discountPercent: 0 }
    const [here, other] = [`fees.tiers[${index}]`, `tiers[${index - 1}]`]
    return [
      ...unless(
        fixed(tier.minimum) > fixed(before.minimum),
        `${here}.minimum: must be above ${other}.minimum. Order the tiers from low to high.`
      ),
      ...unless(
        tier.discountPercent >= before.discountPercent,
        `${here}.discountPercent: is below ${other}.discountPercent, even though its minimum is higher.`
      )
    ]
  }),
  ...(token === undefined
    ? unless(tiers.length === 0, "fees.token: is missing, but fees.tiers requires it.")
    : unless(
        chains.some(({ tokens }) => tokens.some(({ symbol }) => symbol === token)),
        `fees.token: no chain lists a token with the symbol ${quote(token)}.`
      )),
  // A quote whose drift exceeds the fee would be a free financial option: the caller would gain whenever the price falls.
  ...unless(
    maxDriftBps <= baseFeeBps,
    `quotes.maxDriftBps: is ${maxDriftBps}, which is above fees.baseFeeBps (${baseFeeBps}), so callers could profit from prices that move after the quote. Set it to at most the fee, or remove the field (default: half the fee).`
  )
]

const pageProblems = ({ chains, web }: Config): Problems => [
  ...Object.keys(web?.explorers ?? {}).flatMap((id) =>
    unless(
      chains.some((chain) => String(chain.id) === id),
      `web.explorers: ${quote(id)} is not the id of a configured chain.`
    )
  ),
  ...unless(
    web?.ens === undefined || chains.some(({ id, kind }) => id === web.ens?.chainId && kind === "evm"),
    `web.ens.chainId: ${web?.ens?.chainId} is not the id of a configured EVM chain.`
  )
]

/** Lists all problems that involve several fields, one per line. */
export const crossFieldProblems = (config: Config): Problems => [
  ...repeats(
    "chains",
    config.chains.map(({ id }) => id),
    ".id"
  ),
  ...config.chains.flatMap((chain, index) => chainProblems(chain, `chains[${index}]`)),
  ...unless(
    config.chains.some(({ tokens }) => tokens.length > 0),
    "chains: no chain lists a token, so there is nothing to swap. List at least one token."
  ),
  ...priceProblems(config),
  ...feeProblems(config),
  ...pageProblems(config)
]
