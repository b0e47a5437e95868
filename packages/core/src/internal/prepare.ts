/** Everything that can be refused before a single request is sent. */
import * as Effect from "effect/Effect"
import * as Chain from "../Chain.js"
import type { Deployment } from "../Operation.js"
import { Policy, violation } from "../Policy.js"
import * as Quote from "../Quote.js"
import { Signers } from "../Signer.js"
import { InvalidInput, type PolicyViolation, SignerError } from "../SwapError.js"
import type { OriginSigner } from "./verify.js"

/** A request to execute: the wallet is the signer's where it is not named. */
export type ExecuteInput = Omit<Quote.QuoteInput, "walletAddress"> & { readonly walletAddress?: string | undefined }

/** A request that may be sent, with whom and what it takes to sign it. */
export interface Prepared {
  readonly request: Quote.QuoteRequest
  readonly origin: OriginSigner
  readonly deployment?: Deployment
}

const originSigner = (family: Chain.Family, signers: Signers["Service"]): OriginSigner | undefined =>
  family === "evm"
    ? signers.evm && { kind: "evm", signer: signers.evm }
    : signers.solana && { kind: "solana", signer: signers.solana }

const verifies = ({ kind, signer }: OriginSigner): boolean =>
  kind === "evm" ? signer.verifyOperation !== undefined : signer.verifyTransaction !== undefined

/** Checks a request against itself, the signers and the policy. */
export const prepare = Effect.fnUntraced(function* (
  input: ExecuteInput
): Effect.fn.Return<Prepared, InvalidInput | SignerError | PolicyViolation, Signers | Policy> {
  const familyOf = yield* Chain.Families
  const signers = yield* Signers
  const policy = yield* Policy
  const family = familyOf(input?.originChain)
  const origin = originSigner(family, signers)
  if (origin === undefined) {
    return yield* new SignerError({
      reason: "missing",
      message: `There is no signer for chain ${input.originChain}: give the client ${family === "evm" ? "an EVM" : "a Solana"} signer.`
    })
  }
  const address = origin.signer.address
  const request = yield* Quote.request({ ...input, walletAddress: input.walletAddress ?? address })
  if (!Chain.sameAddress(family, request.walletAddress, address)) {
    return yield* new InvalidInput({
      field: "walletAddress",
      message: `walletAddress: ${request.walletAddress} is not the signer's address, which is ${address}.`
    })
  }
  yield* policy.checkRequest(request)
  const deployment = policy.deploymentOf(request.originChain)
  if (policy.verification === "required") {
    const expected = 'or verification "when-possible", which trusts the service'
    if (deployment === undefined) {
      return yield* violation(
        "deployments",
        `chain ${request.originChain} only when its contracts are pinned, ${expected}`,
        "none"
      )
    }
    if (!verifies(origin)) {
      return yield* violation("verification", `only signers that check what they sign, ${expected}`, "a blind signer")
    }
  }
  return { request, origin, ...(deployment && { deployment }) }
})
