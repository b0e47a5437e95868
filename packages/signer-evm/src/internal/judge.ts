/** Whether something may be signed, judged by what was agreed alone. */
import { Chain, Hex, Operation, Quote, type Signer, type SwapError } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { kindOf } from "./given.js"
import { digestOf, lower, termsOf } from "./hash.js"
import type { Tuple } from "./wallet.js"

/** The first part of the destination that cannot be written in 32 bytes, which would make the terms ambiguous. */
const faultOfTerms = ({ quote, request }: Operation.Agreement): SwapError.UnsafeOperation | undefined => {
  const { destinationChain, outputToken, recipient, walletAddress } = request
  const minimum = Quote.minimumOf(quote)
  const isAddress = (text: string) => Chain.isAddress("evm", text) || Chain.isAddress("solana", text)
  const rules: ReadonlyArray<readonly [field: string, fits: boolean, expected: string, found: string]> = [
    ["destinationChain", Chain.isChainId(destinationChain), "a chain id", `${destinationChain}`],
    ["outputToken", isAddress(outputToken), "an address", outputToken],
    ["recipient", isAddress(recipient ?? walletAddress), "an address", `${recipient}`],
    ["minOutput", minimum >= 0n && minimum < 2n ** 256n, "an amount", `${minimum}`]
  ]
  const broken = rules.find(([, fits]) => !fits)
  return broken && Operation.unsafe(broken[0], broken[2], broken[3])
}

const faultOf = (wallet: string, operation: Signer.OperationToSign, now: number) => {
  const { geoOp, geoOpHash, request } = operation
  if (!Hex.isHex(geoOpHash, 32)) return Operation.unsafe("geoOpHash", "32 bytes in hexadecimal", kindOf(geoOpHash))
  if (!Chain.sameAddress("evm", request.walletAddress, wallet)) {
    return Operation.unsafe("walletAddress", `the signer's ${wallet}`, request.walletAddress)
  }
  if (geoOp === undefined) return undefined
  const broken = Operation.compare(geoOp, operation, now) ?? faultOfTerms(operation)
  if (broken !== undefined) return broken
  const terms = termsOf(operation)
  if (terms !== lower(geoOp.terms)) return Operation.unsafe("terms", terms, geoOp.terms)
  const digest = digestOf(geoOp)
  return digest === lower(geoOpHash) ? undefined : Operation.unsafe("geoOpHash", digest, geoOpHash)
}

const faultOfTuple = ({ address, chainId, nonce }: Tuple, delegates: ReadonlyArray<string>) => {
  if (!Chain.isChainId(chainId)) {
    return Operation.unsafe("chainId", "one chain", chainId === 0 ? "0, which is every chain" : String(chainId))
  }
  if (!Number.isSafeInteger(nonce) || nonce < 0) {
    return Operation.unsafe("nonce", "a whole number from 0", String(nonce))
  }
  const isAddress = Chain.isAddress("evm", address)
  if (isAddress && delegates.some((pinned) => Chain.sameAddress("evm", pinned, address))) return undefined
  const expected = delegates.length === 0 ? "pinned in the deployment" : `one of the pinned ${delegates.join(", ")}`
  return Operation.unsafe("delegate", expected, isAddress ? address : kindOf(address))
}

/** Copies, so that what is judged and what is signed are the same whatever the caller's objects do meanwhile. */
const copyDeployment = (deployment: Operation.Deployment | undefined) =>
  deployment && { deployment: { ...deployment, delegates: [...(deployment.delegates ?? [])] } }

const copyOperation = ({ deployment, geoOp, geoOpHash, quote, request }: Signer.OperationToSign) => ({
  geoOpHash,
  request: { ...request },
  quote: { ...quote },
  ...copyDeployment(deployment),
  ...(geoOp !== undefined && { geoOp: { ...geoOp } })
})

const copyAuthorization = ({ address, chainId, deployment, nonce }: Signer.AuthorizationToSign) => ({
  chainId,
  address,
  nonce,
  ...copyDeployment(deployment)
})

/** What was copied, where nothing is wrong with it. What cannot even be read is refused like what does not fit. */
const judged = <A>(what: string, copy: () => A, faultIn: (copied: A) => SwapError.UnsafeOperation | undefined) =>
  Effect.suspend(() => {
    try {
      const copied = copy()
      const fault = faultIn(copied)
      return fault === undefined ? Effect.succeed(copied) : Effect.fail(fault)
    } catch {
      return Effect.fail(Operation.unsafe(what, "of the agreed form", "something that cannot be read"))
    }
  })

/** An operation that may be signed. One without its fields is only checked for its form and its wallet. */
export const judgeOperation = (
  wallet: string,
  operation: Signer.OperationToSign
): Effect.Effect<Signer.OperationToSign, SwapError.UnsafeOperation> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    judged(
      "geoOp",
      () => copyOperation(operation),
      (copied) => faultOf(wallet, copied, now)
    )
  )

/** A delegation that may be signed: for one chain, to a contract that the caller pinned. */
export const judgeAuthorization = (
  authorization: Signer.AuthorizationToSign
): Effect.Effect<Signer.AuthorizationToSign, SwapError.UnsafeOperation> =>
  judged(
    "authorization",
    () => copyAuthorization(authorization),
    (copied) => faultOfTuple(copied, copied.deployment?.delegates ?? [])
  )
