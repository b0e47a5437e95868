/** A token that its issuer can pause, used to demonstrate a swap that cannot be delivered. */
import { GeoVault } from "@geoswap/contracts"
import { PausableToken } from "@geoswap/contracts/testing"
import type { Devnet } from "@geoswap/devnet"
import {
  type Address,
  createPublicClient,
  createWalletClient,
  defineChain,
  getContractAddress,
  type Hash,
  type Hex,
  http
} from "viem"
import { privateKeyToAccount } from "viem/accounts"
import type { ConfigFile } from "../Stack.js"

/** A deployed token. */
export interface PausableDemoToken {
  readonly token: { readonly symbol: string; readonly address: string; readonly decimals: number }
  /** Pauses all transfers. */
  readonly stop: () => Promise<void>
}

const inVault = 1_000_000_000n

const clientsOf = ({ id, name, rpcUrl }: Devnet.EvmChain, privateKey: Hex) => {
  const chain = defineChain({
    id,
    name,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } }
  })
  const transport = http(rpcUrl)
  return {
    owner: createWalletClient({ chain, transport, account: privateKeyToAccount(privateKey) }),
    reader: createPublicClient({ chain, transport, pollingInterval: 50 })
  }
}

/** Deploys the token and mints some of it to the vault. The vault's owner pays the gas. */
export const deployPausableToken = async (chain: Devnet.EvmChain, ownerKey: Hex): Promise<PausableDemoToken> => {
  const { owner, reader } = clientsOf(chain, ownerKey)
  const done = async (sent: Promise<Hash>) => {
    const { status, transactionHash } = await reader.waitForTransactionReceipt({ hash: await sent })
    if (status !== "success") throw new Error(`Transaction ${transactionHash} failed on ${chain.name}.`)
  }
  const from = owner.account.address
  const nonce = await reader.getTransactionCount({ address: from })
  const address = getContractAddress({ from, nonce: BigInt(nonce) })
  const token = { abi: PausableToken.abi, address }
  const vault = { abi: GeoVault.abi, address: chain.contracts.vault as Address }
  // Sends all transactions at once, with explicit gas limits, because gas cannot be estimated for a call to a token
  // that is not deployed yet.
  await Promise.all([
    done(owner.deployContract({ ...PausableToken, nonce, gas: 3_000_000n })),
    done(
      owner.writeContract({
        ...token,
        functionName: "mint",
        args: [vault.address, inVault],
        nonce: nonce + 1,
        gas: 200_000n
      })
    ),
    // The maximum amount that the vault may pay out per hour.
    done(
      owner.writeContract({
        ...vault,
        functionName: "setCap",
        args: [address, inVault],
        nonce: nonce + 2,
        gas: 200_000n
      })
    )
  ])
  return {
    token: { symbol: "PSE", address, decimals: 6 },
    stop: () => done(owner.writeContract({ ...token, functionName: "setPaused", args: [true] }))
  }
}

/** Adds the token to the service's configuration, at a price of one dollar. */
export const listToken =
  (chainId: number, { token }: PausableDemoToken) =>
  (file: ConfigFile): ConfigFile => {
    const list = (chain: ConfigFile["chains"][number]) =>
      chain.id === chainId ? { ...chain, tokens: [...chain.tokens, { ...token, asset: "USDC" }] } : chain
    const [first, ...rest] = file.chains
    return { ...file, chains: [list(first), ...rest.map(list)] }
  }
