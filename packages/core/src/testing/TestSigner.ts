/** Signers for tests without a chain library. They verify and sign with the fake from `ChainLibrary`. */
import * as Effect from "effect/Effect"
import { isZeroAddress, zeroAddress } from "../Delegation.js"
import { compare, comparePayment, unsafe } from "../Operation.js"
import type * as Signer from "../Signer.js"
import { SignerError } from "../SwapError.js"
import { standIn, type Terms } from "./ChainLibrary.js"
import { signHash, signTuple, signTyped, signWire } from "./fakeSignatures.js"
import type { Quote, QuoteRequest } from "../Quote.js"
import { evmKey, solanaKey } from "./vectors.js"

/** The terms that you agree to by accepting a quote. */
export const termsOf = ({
  request,
  quote
}: {
  readonly request: QuoteRequest
  readonly quote: Pick<Quote, "minOutput" | "output">
}): Terms => ({
  destinationChain: request.destinationChain,
  outputToken: request.outputToken,
  recipient: request.recipient ?? request.walletAddress,
  minOutput: quote.minOutput ?? quote.output
})

/** An EVM signer that verifies what it signs. */
export const evm = (
  options: { readonly address?: string; readonly capabilities?: Signer.EvmCapabilities } = {}
): Signer.Evm => {
  const address = options.address ?? evmKey.address
  return {
    address,
    capabilities: options.capabilities ?? { authorization: true, typedData: true },
    verifyOperation: (operation) => {
      const { geoOp, geoOpHash } = operation
      if (geoOp === undefined) return Effect.fail(unsafe("geoOp", "present", "missing"))
      const broken = compare(geoOp, operation, geoOp.deadline * 1000)
      if (broken !== undefined) return Effect.fail(broken)
      const terms = standIn.hashTerms(termsOf(operation))
      if (terms !== geoOp.terms) return Effect.fail(unsafe("terms", terms, geoOp.terms))
      const hash = standIn.hashOperation(geoOp)
      return hash === geoOpHash ? Effect.void : Effect.fail(unsafe("geoOpHash", hash, geoOpHash))
    },
    signOperation: ({ geoOpHash }) => Effect.succeed(signHash(address, geoOpHash)),
    verifyPayment: (input) => {
      const { geoOpHash, payment } = input
      const broken = comparePayment(payment, input, (payment.deadline - 1) * 1000)
      if (broken !== undefined) return Effect.fail(broken)
      const terms = standIn.hashTerms(termsOf(input))
      if (terms !== payment.terms) return Effect.fail(unsafe("terms", terms, payment.terms))
      const hash = standIn.payments.hashPayment(payment)
      return hash === geoOpHash ? Effect.void : Effect.fail(unsafe("geoOpHash", hash, geoOpHash))
    },
    signPayment: ({ geoOpHash, payment }) =>
      Effect.succeed({
        signature: signTyped(address, geoOpHash),
        ...(payment.method === "erc2612" && {
          permitSignature: signTyped(address, standIn.payments.hashPermit(payment))
        })
      }),
    signAuthorization: ({ chainId, address: delegate, nonce }) =>
      chainId === 0
        ? Effect.fail(new SignerError({ reason: "failed", message: "Chain id 0 would mean every chain." }))
        : isZeroAddress(delegate)
          ? Effect.fail(unsafe("delegate", "a contract", "the zero address"))
          : Effect.succeed(signTuple(address, { chainId, address: delegate, nonce })),
    signRevocation: ({ chainId, nonce }) =>
      chainId === 0
        ? Effect.fail(new SignerError({ reason: "failed", message: "Chain id 0 would mean every chain." }))
        : Effect.succeed(signTuple(address, { chainId, address: zeroAddress, nonce }))
  }
}

/** A Solana signer that verifies what it signs. */
export const solana = (options: { readonly address?: string } = {}): Signer.Solana => {
  const address = options.address ?? solanaKey.address
  return {
    address,
    verifyTransaction: ({ unsignedTransaction, ...agreement }) => {
      const text = atob(unsignedTransaction)
      const expected = [
        ["amount", `"amount":"${agreement.request.amount}"`],
        ["token", `"token":"${agreement.request.inputToken}"`],
        ["wallet", `"wallet":"${address}"`],
        ["terms", standIn.hashTerms(termsOf(agreement))],
        ["vault", `"vault":"${agreement.deployment?.vault}"`]
      ] as const
      const broken = expected.find(([, part]) => !text.includes(part))
      return broken === undefined ? Effect.void : Effect.fail(unsafe(broken[0], broken[1], "something else"))
    },
    signTransaction: ({ unsignedTransaction }) => Effect.succeed(signWire(address, unsignedTransaction))
  }
}
