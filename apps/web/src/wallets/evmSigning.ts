/** The code that signs on EVM chains; a chunk of its own. */
import type { EvmSigner as Signer } from "@geoswap/core/promise"
import { EvmSigner } from "@geoswap/signer-evm"
import { sign } from "viem/accounts"

const isHex = (text: string): text is `0x${string}` => /^0x[0-9a-fA-F]+$/.test(text)

/** The signer of a key that everybody knows. */
export const burnerSigner = (name: string, address: string, privateKey: string): Signer => {
  if (!isHex(privateKey)) throw new Error("The play wallet has no usable key")
  return EvmSigner.fromPromise({ address, signDigest: (hash) => sign({ hash, privateKey, to: "hex" }) }, { name })
}

/** The signer of a browser wallet. */
export const providerSigner = EvmSigner.fromProvider
