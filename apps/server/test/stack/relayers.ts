/** Relayers that only one server uses. */
import { GeoVault } from "@geoswap/contracts"
import type { Devnet } from "@geoswap/devnet"
import type { Address } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import * as evm from "./evm.js"

const ether = 10n ** 18n

/** A new key with the role of a relayer and gas on both EVM chains. */
export const newRelayer = async (devnet: Devnet.Devnet) => {
  const privateKey = generatePrivateKey()
  const { address } = privateKeyToAccount(privateKey)
  for (const chain of [devnet.evmA, devnet.evmB]) {
    const call = { address: chain.contracts.vault as Address, abi: GeoVault.abi, functionName: "setRelayer" }
    await evm.asOwner(devnet, chain, { ...call, args: [address, true] })
    await evm.setBalance(chain, address, ether)
  }
  return { privateKey, address }
}
