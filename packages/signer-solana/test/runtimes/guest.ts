/** The program that every runtime runs, unchanged, with the built packages. */
import { signerContract } from "@geoswap/core/testing"
import { SolanaSigner } from "@geoswap/signer-solana"
import {
  address,
  createKeyPairFromPrivateKeyBytes,
  getBase16Encoder,
  getBase64Encoder,
  getPublicKeyFromAddress,
  getTransactionDecoder,
  verifySignature
} from "@solana/kit"

/** Runs the complete signer contract and returns its failures. */
export const run = async () => {
  const cases = signerContract({
    family: "solana",
    make: async ({ seed }) =>
      SolanaSigner.fromKeyPair(await createKeyPairFromPrivateKeyBytes(getBase16Encoder().encode(seed.slice(2)))),
    isSignedBy: async (transaction, wallet) => {
      const { messageBytes, signatures } = getTransactionDecoder().decode(getBase64Encoder().encode(transaction))
      const signature = signatures[address(wallet)]
      if (signature === undefined || signature === null) return false
      return verifySignature(await getPublicKeyFromAddress(address(wallet)), signature, messageBytes)
    }
  })
  const failures: Array<string> = []
  for (const { name, run } of cases) {
    await run().catch((error: unknown) => failures.push(`${name}: ${String(error)}`))
  }
  return { cases: cases.length, failures }
}
