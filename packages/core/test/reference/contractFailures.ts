/** Runs the signer contract with checks by viem and kit, and returns its failures. */
import { address, getBase64Encoder, getPublicKeyFromAddress, getTransactionDecoder, verifySignature } from "@solana/kit"
import { recoverMessageAddress } from "viem"
import { recoverAuthorizationAddress } from "viem/utils"
import type { Delegation } from "../../src/index.js"
import {
  ContractViolation,
  type EvmSignerOptions,
  signerContract,
  type SolanaSignerOptions
} from "../../src/testing.js"

/** Caches recoveries, which take milliseconds: most of the broken signers return the same signatures. */
const cached = <I, A>(compute: (input: I) => Promise<A>) => {
  const known = new Map<string, Promise<A>>()
  return (input: I): Promise<A> => {
    const name = JSON.stringify(input)
    const answer = known.get(name) ?? compute(input)
    known.set(name, answer)
    return answer
  }
}

const recoverMessage = cached(recoverMessageAddress)
const recoverAuthorization = cached((authorization: Delegation.Authorization) =>
  recoverAuthorizationAddress({ authorization })
)

export const evmTools: Pick<EvmSignerOptions, "family" | "recoverMessage" | "recoverAuthorization"> = {
  family: "evm",
  recoverMessage: (raw, signature) => recoverMessage({ message: { raw }, signature }),
  recoverAuthorization
}

export const solanaTools: Pick<SolanaSignerOptions, "family" | "isSignedBy"> = {
  family: "solana",
  isSignedBy: async (transaction, wallet) => {
    const { messageBytes, signatures } = getTransactionDecoder().decode(getBase64Encoder().encode(transaction))
    const signature = signatures[address(wallet)]
    if (signature === undefined || signature === null) return false
    return verifySignature(await getPublicKeyFromAddress(address(wallet)), signature, messageBytes)
  }
}

/** A broken signer, or a wrong use of the suite, with the cases that must fail: all that match. */
export interface Broken<Options> {
  readonly name: string
  readonly options: Options
  readonly fails: ReadonlyArray<RegExp>
}

/** The names of the cases that fail, of those that are tried. Any other error is a defect of the suite. */
export const failuresOf = async (
  options: EvmSignerOptions | SolanaSignerOptions,
  isTried: (name: string) => boolean
): Promise<ReadonlyArray<string>> => {
  const failures: Array<string> = []
  for (const { name, run } of signerContract(options).filter(({ name }) => isTried(name))) {
    try {
      await run()
    } catch (error) {
      if (!(error instanceof ContractViolation)) throw new Error(`${name} crashed`, { cause: error })
      failures.push(name)
    }
  }
  return failures
}
