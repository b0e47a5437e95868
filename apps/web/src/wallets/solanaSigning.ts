/** The signing code for Solana. Loaded as a separate chunk. */
import type { PromiseSolanaSigner } from "@geoswap/core/promise"
import { SolanaSigner } from "@geoswap/signer-solana"
import { createKeyPairFromBytes, getBase58Encoder } from "@solana/kit"

/** Creates a signer for a test wallet from a 64-byte key in base58. */
export const burnerSigner = async (name: string, privateKey: string): Promise<PromiseSolanaSigner> =>
  SolanaSigner.fromKeyPair(await createKeyPairFromBytes(getBase58Encoder().encode(privateKey)), { name })

/** Creates a signer for a Wallet Standard wallet. */
export const standardSigner = SolanaSigner.fromWalletStandard
