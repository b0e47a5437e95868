/** The signing code for EVM chains. Loaded as a separate chunk. */
import type { PromiseEvmSigner } from "@geoswap/core/promise"
import { EvmSigner } from "@geoswap/signer-evm"
import { sign } from "viem/accounts"

const isHex = (text: string): text is `0x${string}` => /^0x[0-9a-fA-F]+$/.test(text)

/** Creates a signer for a test wallet. */
export const burnerSigner = (name: string, address: string, privateKey: string): PromiseEvmSigner => {
  if (!isHex(privateKey)) throw new Error("The test wallet's key is invalid.")
  return EvmSigner.fromKeyService({ address, signDigest: (hash) => sign({ hash, privateKey, to: "hex" }) }, { name })
}

/** Creates a signer for a browser wallet. */
export const providerSigner = EvmSigner.fromProvider
