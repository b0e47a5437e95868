/** The program that every runtime runs, unchanged, with the built packages. */
import { signerContract } from "@geoswap/core/testing"
import { EvmSigner } from "@geoswap/signer-evm"
import { recoverAddress, recoverMessageAddress } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { recoverAuthorizationAddress } from "viem/utils"

/** Runs the complete signer contract and returns its failures. */
export const run = async () => {
  const cases = signerContract({
    family: "evm",
    make: ({ privateKey }) => EvmSigner.fromAccount(privateKeyToAccount(privateKey)),
    recoverMessage: (raw, signature) => recoverMessageAddress({ message: { raw }, signature }),
    recoverAuthorization: (authorization) => recoverAuthorizationAddress({ authorization }),
    recoverTypedData: (hash, signature) => recoverAddress({ hash, signature })
  })
  const failures: Array<string> = []
  for (const { name, run } of cases) {
    await run().catch((error: unknown) => failures.push(`${name}: ${String(error)}`))
  }
  return { cases: cases.length, failures }
}
