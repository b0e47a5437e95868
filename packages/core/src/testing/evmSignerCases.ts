/** Conformance cases for EVM signers. */
import { type Authorization, zeroAddress } from "../Delegation.js"
import { type Hex, isHex } from "../Hex.js"
import type * as Signer from "../Signer.js"
import type { AuthorizationToSign, OperationToSign, PromiseEvmSigner } from "../Signer.js"
import { holds, type SignerCase } from "./contractAssertions.js"
import { bump, type Hostile, hostileOperationsOf, stranger, withoutMinimum } from "./hostilePayloads.js"
import { evmSecrets, valueOf, refused, acceptedOrRefused, settle, settleSigning, shows, runTool } from "./runSigner.js"
import { paymentCases, typedDataCapability } from "./paymentSignerCases.js"
import { authorizations, evmDeployment, evmKey, hostileOperations, operations } from "./vectors.js"

/** Options for running the suite with an EVM signer. */
export interface EvmSignerOptions {
  readonly family: "evm"
  /** Creates the signer for the suite's wallet, whose key is public. Called once per case. */
  readonly make: (key: typeof evmKey) => Signer.Evm | PromiseEvmSigner | Promise<Signer.Evm | PromiseEvmSigner>
  /**
   * Recovers the address from a personal_sign signature over raw bytes, with a library that shares no code with the
   * signer.
   */
  readonly recoverMessage: (raw: Hex, signature: Hex) => string | Promise<string>
  /**
   * Recovers the address from an EIP-7702 authorization. Omit this function if the signer cannot sign authorizations.
   */
  readonly recoverAuthorization?: ((authorization: Authorization) => string | Promise<string>) | undefined
  /**
   * Recovers the address from a signature over a digest, without a prefix, which is how typed data is signed. Omit this
   * function if the signer cannot sign typed data.
   */
  readonly recoverTypedData?: ((digest: Hex, signature: Hex) => string | Promise<string>) | undefined
}

const same = (a: unknown, b: string): boolean => String(a).toLowerCase() === b.toLowerCase()

/** Whether s is at most half the curve order. Chains accept only the lower of the two possible values. */
const isLow = (s: string): boolean => BigInt(s) <= 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

const authorizationCases = (
  recover: NonNullable<EvmSignerOptions["recoverAuthorization"]>,
  make: () => Promise<Signer.Evm | PromiseEvmSigner>
): ReadonlyArray<SignerCase> => {
  const pinned: AuthorizationToSign = { ...authorizations[0], deployment: evmDeployment }
  const authorize = async ({ chainId, address, nonce, deployment }: AuthorizationToSign) => {
    const signer = await make()
    holds(signer.signAuthorization !== undefined, "signAuthorization is missing.")
    return settleSigning(signer, (abort) =>
      signer.signAuthorization?.({ chainId, address, nonce, ...(deployment && { deployment }) }, abort)
    )
  }
  const recovered = (authorization: Authorization) => runTool("recoverAuthorization", () => recover(authorization))
  const revoke = async (chainId: number, nonce: number) => {
    const signer = await make()
    return signer.signRevocation === undefined
      ? undefined
      : settleSigning(signer, (abort) => signer.signRevocation?.({ chainId, nonce }, abort))
  }
  /** Fails if an authorization is not exactly what was requested. */
  const checkAuthorization = async (
    signed: Authorization | undefined,
    { address, chainId, nonce }: Pick<Authorization, "address" | "chainId" | "nonce">
  ) => {
    holds(signed !== undefined, "the signer returned nothing.")
    holds(
      signed.chainId === chainId && signed.nonce === nonce && same(signed.address, address),
      "the authorization must have the requested chain, contract and nonce."
    )
    holds(signed.yParity === 0 || signed.yParity === 1, "yParity must be the number 0 or 1.")
    holds(isHex(signed.r, 32) && isHex(signed.s, 32), "r and s must each be 32 bytes in hex, including leading zeros.")
    holds(isLow(signed.s), "s must be low.")
    holds(same(await recovered(signed), evmKey.address), "the authorization is not signed by the wallet.")
  }
  const { deployment: _, ...unpinned } = pinned
  const refusals: ReadonlyArray<Hostile<AuthorizationToSign>> = [
    ["for every chain at once", { ...pinned, chainId: 0 }],
    ["to a contract that is not pinned", { ...pinned, address: stranger.evm as Hex }],
    ["without a pinned contract", unpinned],
    [
      "to the zero address, even if it is pinned",
      { ...pinned, address: zeroAddress, deployment: { ...evmDeployment, delegates: [zeroAddress] } }
    ]
  ]
  return [
    {
      name: "is tested with a recoverAuthorization that works",
      run: async () => {
        for (const authorization of authorizations) {
          const right = await recovered(authorization)
          holds(same(right, evmKey.address), `recoverAuthorization: expected ${evmKey.address}, got ${right}.`)
          const wrong = await recovered({ ...authorization, nonce: authorization.nonce + 1 })
          holds(!same(wrong, evmKey.address), "recoverAuthorization must return another address for another nonce.")
        }
      }
    },
    ...authorizations.map(({ chainId, address, nonce }): SignerCase => ({
      name: `signs a delegation at nonce ${nonce}`,
      run: async () => {
        const signed = valueOf(await authorize({ ...pinned, chainId, address, nonce }), "signAuthorization")
        await checkAuthorization(signed, { chainId, address, nonce })
      }
    })),
    {
      name: "if it can remove a delegation, signs exactly that",
      run: async () => {
        const settled = await revoke(8453, 7)
        if (settled === undefined) return
        await checkAuthorization(valueOf(settled, "signRevocation"), { chainId: 8453, address: zeroAddress, nonce: 7 })
      }
    },
    {
      name: "if it can remove a delegation, does not do so on every chain at once",
      run: async () => {
        const settled = await revoke(0, 7)
        if (settled === undefined) return
        refused(settled, "a removal for every chain", ["UnsafeOperation", "SignerError"], evmSecrets)
      }
    },
    ...refusals.map(([name, payload]): SignerCase => ({
      name: `refuses a delegation ${name}`,
      run: async () => {
        const settled = await authorize(payload)
        refused(settled, `a delegation ${name}`, ["UnsafeOperation", "SignerError"], evmSecrets)
      }
    }))
  ]
}

export const evmCases = (options: EvmSignerOptions): ReadonlyArray<SignerCase> => {
  const make = async () => options.make(evmKey)
  const verified = async (operation: OperationToSign) => {
    const signer = await make()
    holds(signer.verifyOperation !== undefined, "a signer without verifyOperation signs blindly.")
    return settle<void>(signer, (abort) => signer.verifyOperation?.(operation, abort))
  }
  const signed = async (operation: OperationToSign) => {
    const signer = await make()
    return settleSigning<Hex>(signer, (abort) => signer.signOperation(operation, abort))
  }
  const recovered = (raw: Hex, signature: Hex) =>
    runTool("recoverMessage", () => options.recoverMessage(raw, signature))
  const checkForm: (signature: unknown) => asserts signature is Hex = (signature) => {
    holds(isHex(signature, 65), "a signature must be 65 bytes in hex, including leading zeros.")
    holds(/1[bc]$/i.test(signature), "v must be 27 or 28.")
    holds(isLow(`0x${signature.slice(66, 130)}`), "s must be low.")
  }
  const checkSignature = async (raw: Hex, signature: unknown) => {
    checkForm(signature)
    holds(
      same(await recovered(raw, signature), evmKey.address),
      "the signature is not a personal_sign signature by the wallet over the 32 raw bytes."
    )
  }
  /** A signer that can sign typed data may sign an operation in either form. */
  const checkOperation = async (digest: Hex, signature: unknown) => {
    const { recoverTypedData } = options
    checkForm(signature)
    const signer = recoverTypedData && (await runTool("recoverTypedData", () => recoverTypedData(digest, signature)))
    if (!same(signer, evmKey.address)) await checkSignature(digest, signature)
  }
  const refusal = (name: string, payload: OperationToSign): SignerCase => ({
    name: `refuses ${name}`,
    run: async () => refused(await verified(payload), name, ["UnsafeOperation"], evmSecrets)
  })
  const { geoOp: _, ...bare } = operations[0]
  const { deployment: __, ...unpinned } = operations[0]
  return [
    {
      name: "is tested with a recoverMessage that works",
      run: async () => {
        for (const { geoOpHash, signature } of operations) {
          const right = await recovered(geoOpHash, signature)
          holds(
            same(right, evmKey.address),
            `recoverMessage: expected ${evmKey.address}, got ${right}. It must treat the hash as 32 raw bytes.`
          )
          const wrong = await recovered(bump(geoOpHash), signature)
          holds(!same(wrong, evmKey.address), "recoverMessage must return another address for another hash.")
        }
      }
    },
    {
      name: "is the wallet of its key",
      run: async () => {
        const { address } = await make()
        holds(same(address, evmKey.address), `address: expected ${evmKey.address}, got ${address}.`)
      }
    },
    {
      name: "declares whether it can sign a delegation",
      run: async () => {
        const signer = await make()
        const declared: unknown = signer.capabilities?.authorization
        const able = signer.signAuthorization !== undefined
        holds(
          declared === able,
          `capabilities.authorization is ${String(declared)}, but signAuthorization is ${able ? "present" : "missing"}.`
        )
        holds(
          able === (options.recoverAuthorization !== undefined),
          able
            ? "the signer can sign a delegation. Pass recoverAuthorization to the suite to check this."
            : "recoverAuthorization was passed to the suite, but the signer cannot sign a delegation."
        )
      }
    },
    typedDataCapability(options, make),
    {
      name: "does not show its key",
      run: async () => holds(!shows(await make(), evmSecrets), "printing the signer reveals its key.")
    },
    ...operations.flatMap((vector): ReadonlyArray<SignerCase> => {
      const { name, quote, geoOpHash } = vector
      return [
        {
          name: `accepts an operation ${name}`,
          run: async () => valueOf(await verified(vector), "verifyOperation")
        },
        {
          name: `accepts an operation ${name}, quoted without a minimum`,
          run: async () => {
            const agreed = withoutMinimum(quote, quote.minOutput ?? quote.output)
            valueOf(await verified({ ...vector, quote: agreed }), "verifyOperation")
          }
        },
        {
          name: `signs an operation ${name}`,
          run: async () => checkOperation(geoOpHash, valueOf(await signed(vector), "signOperation"))
        },
        ...hostileOperationsOf(vector).map(([change, operation]) =>
          refusal(`${change} in an operation ${name}`, operation)
        )
      ]
    }),
    ...hostileOperations.map((operation) => refusal(`an operation ${operation.name}`, operation)),
    refusal("to verify a bare hash", bare),
    {
      name: "signs a bare hash, or says that it does not",
      run: async () => {
        const settled = await signed(bare)
        acceptedOrRefused(settled, "a bare hash", evmSecrets)
        if ("value" in settled) await checkSignature(bare.geoOpHash, settled.value)
      }
    },
    {
      name: "verifies without pinned contracts, or says that it does not",
      run: async () => acceptedOrRefused(await verified(unpinned), "an operation without pinned contracts", evmSecrets)
    },
    ...(options.recoverAuthorization === undefined ? [] : authorizationCases(options.recoverAuthorization, make)),
    ...(options.recoverTypedData === undefined ? [] : paymentCases(options.recoverTypedData, make, checkForm))
  ]
}
