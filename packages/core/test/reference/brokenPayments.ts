/** EVM signers whose payments, or operations as typed data, are broken in one way each. */
import * as Effect from "effect/Effect"
import { type Hex, hexToBytes, recoverAddress, serializeSignature } from "viem"
import { privateKeyToAccount, sign } from "viem/accounts"
import { hashPermit, keccak256 } from "../../src/adapters.js"
import { Operation, type Signer, SwapError } from "../../src/index.js"
import { type EvmSignerOptions, Vectors } from "../../src/testing.js"
import { type Broken, evmTools } from "./contractFailures.js"
import { paymentProblemOf, payingSigner, type PayingSigner } from "./paymentSigner.js"

const { address, privateKey } = Vectors.evmKey
const account = privateKeyToAccount(privateKey)
const right = payingSigner(privateKey)

const rawSign = async (hash: Hex) => serializeSignature(await sign({ hash, privateKey }))

export const payingTools = {
  ...evmTools,
  recoverTypedData: (hash: Hex, signature: Hex) => recoverAddress({ hash, signature })
}

const broken = (
  name: string,
  fails: ReadonlyArray<RegExp>,
  change: (signer: PayingSigner) => object,
  tools: Partial<EvmSignerOptions> = {}
): Broken<EvmSignerOptions> => ({
  name,
  fails,
  options: { ...payingTools, make: () => ({ ...right, ...change(right) }), ...tools }
})

const never = Effect.fail(new SwapError.SignerError({ reason: "failed", message: "No." }))
const unsafe = Effect.fail(Operation.unsafe("payment", "nothing", "something"))

/** Signs without verifying. */
const signBlindly = ({ geoOpHash, payment }: Signer.PaymentToSign) =>
  Effect.promise(async () => ({
    signature: await rawSign(geoOpHash),
    ...(payment.method === "erc2612" && { permitSignature: await rawSign(hashPermit(payment, keccak256)) })
  }))

/** A signer that trusts one field of a payment. */
const trusting = (
  name: string,
  fails: ReadonlyArray<RegExp>,
  trust: (input: Signer.PaymentToSign) => Signer.PaymentToSign
) =>
  broken(name, fails, () => {
    const verifyPayment = (input: Signer.PaymentToSign) => {
      const problem = paymentProblemOf(trust(input), address, Date.now())
      return problem === undefined ? Effect.void : Effect.fail(problem)
    }
    return {
      verifyPayment,
      signPayment: (input: Signer.PaymentToSign) => Effect.andThen(verifyPayment(input), signBlindly(input))
    }
  })

const signing = (
  name: string,
  fails: ReadonlyArray<RegExp>,
  answer: (input: Signer.PaymentToSign) => Promise<object>
) =>
  broken(name, fails, ({ verifyPayment }) => ({
    signPayment: (input: Signer.PaymentToSign) =>
      Effect.andThen(
        verifyPayment(input),
        Effect.promise(() => answer(input))
      )
  }))

const hostilePayment = /^refuses .* in a payment with/

export const brokenPayments: ReadonlyArray<Broken<EvmSignerOptions>> = [
  broken("refuses every payment", [/^(accepts|signs) a payment/], () => ({
    verifyPayment: () => unsafe,
    signPayment: () => never
  })),
  broken("accepts every payment", [hostilePayment, /^refuses the payment .* which has expired/], () => ({
    verifyPayment: () => Effect.void
  })),
  broken("signs every payment", [hostilePayment], () => ({ signPayment: signBlindly })),
  broken("does not declare typed data", [/^declares whether it can sign typed data/], () => ({
    capabilities: { authorization: true }
  })),
  broken("is tested without recoverTypedData", [/^declares whether it can sign typed data/], () => ({}), {
    recoverTypedData: undefined
  }),
  broken(
    "is tested with a recoverTypedData that recovers messages",
    [/^is tested with a recoverTypedData that works/, /^signs a payment/, /^signs an operation/],
    () => ({}),
    { recoverTypedData: evmTools.recoverMessage }
  ),
  broken(
    "is tested with a recoverTypedData that always returns the wallet",
    [/^is tested with a recoverTypedData that works/],
    () => ({}),
    { recoverTypedData: () => address }
  ),
  broken(
    "has only one of the two methods",
    [/^declares whether it can sign typed data/, /^accepts a payment/, hostilePayment, /^refuses the payment/],
    () => ({ verifyPayment: undefined })
  ),
  signing("signs payments with personal_sign", [/^signs a payment/], async ({ geoOpHash, payment }) => ({
    signature: await account.signMessage({ message: { raw: geoOpHash } }),
    ...(payment.method === "erc2612" && { permitSignature: await rawSign(hashPermit(payment, keccak256)) })
  })),
  signing("returns no permit", [/^signs a payment with ERC-2612/], async ({ geoOpHash }) => ({
    signature: await rawSign(geoOpHash)
  })),
  signing("returns the payment's signature as the permit's", [/^signs a payment/], async ({ geoOpHash }) => {
    const signature = await rawSign(geoOpHash)
    return { signature, permitSignature: signature }
  }),
  trusting(
    "trusts the vault",
    [
      /^refuses (a different vault|the wallet as the vault|Permit2 as the vault|a vault (that is not|when none is) pinned) in a payment/
    ],
    (input) => ({ ...input, deployment: { ...input.deployment, vault: input.payment.vault } })
  ),
  trusting(
    "trusts the amount",
    [/^refuses (a smaller amount|a larger amount|a different amount than agreed) in a payment/],
    (input) => ({
      ...input,
      request: { ...input.request, amount: input.payment.amount }
    })
  ),
  trusting("trusts the chain", [/^refuses a different (chainId|chain than agreed) in a payment/], (input) => ({
    ...input,
    request: { ...input.request, originChain: input.payment.chainId }
  })),
  trusting("trusts the token", [/^refuses a different token( than agreed)? in a payment/], (input) => ({
    ...input,
    request: { ...input.request, inputToken: input.payment.token }
  })),
  broken("signs another digest as an operation", [/^signs an operation/, /^signs a bare hash/], () => ({
    signOperation: ({ geoOpHash }: Signer.OperationToSign) =>
      Effect.promise(() => rawSign(keccak256(hexToBytes(geoOpHash))))
  })),
  broken("signs a bare hash as typed data", [/^signs a bare hash, or says that it does not/], () => ({
    signOperation: ({ geoOpHash }: Signer.OperationToSign) => Effect.promise(() => rawSign(geoOpHash))
  }))
]
