/** Conformance cases for EVM signers that pay without a delegation. */
import { hashPermit } from "../adapters/hashes.js"
import { keccak256 } from "../adapters/keccak256.js"
import type { Hex } from "../Hex.js"
import type * as Signer from "../Signer.js"
import type { PaymentToSign, PromiseEvmSigner } from "../Signer.js"
import { holds, type SignerCase } from "./contractAssertions.js"
import type { EvmSignerOptions } from "./evmSignerCases.js"
import { bump } from "./hostilePayloads.js"
import { currentPayment, hostilePaymentsOf } from "./hostilePayments.js"
import { payments } from "./paymentVectors.js"
import { evmSecrets, refused, runTool, settle, settleSigning, valueOf } from "./runSigner.js"
import { systemClock } from "./systemClock.js"
import { evmKey, operations } from "./vectors.js"

type Make = () => Promise<Signer.Evm | PromiseEvmSigner>

const same = (a: unknown, b: string): boolean => String(a).toLowerCase() === b.toLowerCase()

/** The case for every EVM signer, including those that cannot sign typed data. */
export const typedDataCapability = (options: EvmSignerOptions, make: Make): SignerCase => ({
  name: "declares whether it can sign typed data",
  run: async () => {
    const signer = await make()
    const declared: unknown = signer.capabilities?.typedData ?? false
    const able = signer.verifyPayment !== undefined && signer.signPayment !== undefined
    holds(
      able || (signer.verifyPayment === undefined && signer.signPayment === undefined),
      "verifyPayment and signPayment: expected both or none."
    )
    holds(
      declared === able,
      `capabilities.typedData is ${String(declared)}, but verifyPayment and signPayment are ${able ? "present" : "missing"}.`
    )
    holds(
      able === (options.recoverTypedData !== undefined),
      able
        ? "the signer can sign typed data. Pass recoverTypedData to the suite to check this."
        : "recoverTypedData was passed to the suite, but the signer cannot sign typed data."
    )
  }
})

/** The cases for signers that can sign typed data. */
export const paymentCases = (
  recover: NonNullable<EvmSignerOptions["recoverTypedData"]>,
  make: Make,
  checkForm: (signature: unknown) => asserts signature is Hex
): ReadonlyArray<SignerCase> => {
  const recovered = (digest: Hex, signature: Hex) => runTool("recoverTypedData", () => recover(digest, signature))
  const verified = async (input: PaymentToSign) => {
    const signer = await make()
    holds(signer.verifyPayment !== undefined, "verifyPayment is missing.")
    return settle<void>(signer, (abort) => signer.verifyPayment?.(input, abort))
  }
  const signed = async (input: PaymentToSign) => {
    const signer = await make()
    holds(signer.signPayment !== undefined, "signPayment is missing.")
    return settleSigning<Signer.SignedPayment | undefined>(signer, (abort) => signer.signPayment?.(input, abort))
  }
  const checkTyped = async (digest: Hex, signature: unknown, what: string) => {
    checkForm(signature)
    holds(
      same(await recovered(digest, signature), evmKey.address),
      `the ${what} is not signed by the wallet as typed data.`
    )
  }
  return [
    {
      name: "is tested with a recoverTypedData that works",
      run: async () => {
        const signatures = [
          ...operations.map(({ geoOpHash, typedSignature }) => [geoOpHash, typedSignature] as const),
          ...payments.map(({ geoOpHash, signature }) => [geoOpHash, signature] as const),
          ...payments.flatMap(({ permit }) => (permit ? [[permit.digest, permit.signature] as const] : []))
        ]
        for (const [digest, by] of signatures) {
          const right = await recovered(digest, by)
          holds(same(right, evmKey.address), `recoverTypedData: expected ${evmKey.address}, got ${right}.`)
          const wrong = await recovered(bump(digest), by)
          holds(!same(wrong, evmKey.address), "recoverTypedData must return another address for another digest.")
        }
      }
    },
    ...payments.flatMap((vector): ReadonlyArray<SignerCase> => {
      const { name } = vector
      const current = () => currentPayment(vector, systemClock.now())
      return [
        {
          name: `accepts a payment ${name}`,
          run: async () => valueOf(await verified(current()), "verifyPayment")
        },
        {
          name: `signs a payment ${name} as typed data`,
          run: async () => {
            const input = current()
            const answer = valueOf(await signed(input), "signPayment")
            await checkTyped(input.geoOpHash, answer?.signature, "payment")
            if (input.payment.method !== "erc2612") {
              return holds(answer?.permitSignature === undefined, "permitSignature is only for erc2612.")
            }
            await checkTyped(hashPermit(input.payment, keccak256), answer?.permitSignature, "permit")
          }
        },
        {
          name: `refuses the payment ${name} in the vectors, which has expired`,
          run: async () => {
            refused(await verified(vector), `a payment ${name} that has expired`, ["UnsafeOperation"], evmSecrets)
          }
        },
        ...hostilePaymentsOf(vector).map(([lie, change]): SignerCase => ({
          name: `refuses ${lie} in a payment ${name}`,
          run: async () => {
            const input = change(current(), Math.floor(systemClock.now() / 1000))
            refused(await verified(input), lie, ["UnsafeOperation"], evmSecrets)
            refused(await signed(input), lie, ["UnsafeOperation", "SignerError"], evmSecrets)
          }
        }))
      ]
    })
  ]
}
