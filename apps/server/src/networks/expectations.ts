/** What the nodes of a network are expected to report, from the public data or from a configured chain. */
import type { PriceFeed, PublicNetwork, PublicToken } from "@geoswap/deployments/networks"
import type { Config } from "@geoswap/service"

/** What the node of a network is expected to report. */
export interface Expectations extends Pick<PublicNetwork, "name" | "family" | "id" | "permit2" | "genesisHash"> {
  readonly tokens: ReadonlyArray<Pick<PublicToken, "symbol" | "chainSymbol" | "address" | "decimals" | "domain">>
  readonly priceFeeds: ReadonlyArray<PriceFeed>
}

/** Everything that the public data says about a network. */
export const expectPublic = ({ otherTokens, tokens, ...network }: PublicNetwork): Expectations => ({
  ...network,
  tokens: [...tokens, ...otherTokens]
})

type Chain = Config.Config["chains"][number]

/** What a configured chain says, and what its public network says beyond that. */
export const expectConfigured = (chain: Chain, network: PublicNetwork | undefined): Expectations => {
  const known = [...(network?.tokens ?? []), ...(network?.otherTokens ?? [])]
  const listed: ReadonlyArray<Config.Token> = chain.tokens
  const tokens = listed.map(({ address, decimals, payments, symbol }) => {
    const same = known.find((one) => one.address.toLowerCase() === address.toLowerCase())
    const { name, version } = payments ?? {}
    const configured =
      name === undefined || version === undefined ? undefined : { name, version, fields: "chainId" as const }
    const domain = configured ?? same?.domain
    return {
      symbol,
      address,
      decimals,
      ...(same?.chainSymbol !== undefined && { chainSymbol: same.chainSymbol }),
      ...(domain !== undefined && { domain })
    }
  })
  return {
    name: chain.network ?? chain.name,
    family: chain.kind,
    id: chain.id,
    permit2: chain.kind === "evm" && chain.payments.permit2,
    tokens,
    priceFeeds: network?.priceFeeds ?? [],
    ...(network?.genesisHash !== undefined && { genesisHash: network.genesisHash })
  }
}
