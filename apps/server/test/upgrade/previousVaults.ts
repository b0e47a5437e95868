/** The vaults of the previous version, on a devnet with those of this version. */
import { GeoVault } from "@geoswap/contracts"
import type { Devnet } from "@geoswap/devnet"
import { createPublicClient, type Hex, http, numberToHex, zeroAddress } from "viem"
import * as evm from "../stack/evm.js"

/** The balance of a vault in every token, in smallest units: a million USDC, and a million WETH. */
const inVault = 10n ** 24n

/** The balance of a vault in the native token. */
const nativeInVault = 1_000n * 10n ** 18n

const setBalance = async ({ rpcUrl }: Devnet.EvmChain, address: string, amount: bigint): Promise<void> => {
  const client = createPublicClient({ transport: http(rpcUrl) })
  const request = client.request as (call: {
    readonly method: string
    readonly params: ReadonlyArray<string>
  }) => Promise<unknown>
  await request({ method: "anvil_setBalance", params: [address, numberToHex(amount)] })
}

const replace = async (devnet: Devnet.Devnet, chain: Devnet.EvmChain, bytecode: Hex): Promise<Devnet.EvmChain> => {
  const { account, vault } = await evm.deployVault(devnet, chain, inVault, bytecode)
  const setCap = { address: vault, abi: GeoVault.abi, functionName: "setCap", args: [zeroAddress, 2n ** 200n] }
  await evm.asOwner(devnet, chain, setCap)
  await setBalance(chain, vault, nativeInVault)
  return { ...chain, contracts: { ...chain.contracts, account, vault } }
}

/** The same devnet, with vaults and accounts of that code on its EVM chains. */
export const withVaults = async (devnet: Devnet.Devnet, bytecode: Hex): Promise<Devnet.Devnet> => {
  const [evmA, evmB] = [await replace(devnet, devnet.evmA, bytecode), await replace(devnet, devnet.evmB, bytecode)]
  const { description } = devnet
  const chains = description.chains.map((chain) => {
    const replaced = [evmA, evmB].find(({ id }) => id === chain.id)
    return replaced === undefined ? chain : { ...chain, contracts: replaced.contracts }
  })
  return { ...devnet, evmA, evmB, description: { ...description, chains } }
}
