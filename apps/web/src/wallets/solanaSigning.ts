/** The code that signs on Solana; a chunk of its own. */
import type { SolanaSigner as Signer } from "@geoswap/core/promise"
import { SolanaSigner } from "@geoswap/signer-solana"
import { createKeyPairFromBytes, getBase58Encoder } from "@solana/kit"

/** The signer of a key that everybody knows: base58 of its 64 bytes. */
export const burnerSigner = async (name: string, privateKey: string): Promise<Signer> =>
  SolanaSigner.fromKeyPair(await createKeyPairFromBytes(getBase58Encoder().encode(privateKey)), { name })

/** The signer of a wallet of the wallet standard. */
export const standardSigner = SolanaSigner.fromWalletStandard
