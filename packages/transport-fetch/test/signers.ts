/** The test signers of core as promise signers. */
import { Signer } from "@geoswap/core"
import { TestSigner } from "@geoswap/core/testing"

export const signers = {
  evm: Signer.evmToPromise(TestSigner.evm()),
  solana: Signer.solanaToPromise(TestSigner.solana())
}
