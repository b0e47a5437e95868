/** The signer, once for every kind of wallet: it judges, has it signed, and makes sure of what came back. */
import { type Delegation, type Hex, Operation, type Signer, type SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { hashAuthorization, hashMessage } from "viem/utils"
import { accept, type Asked, sameTuple } from "./accept.js"
import { checkCode } from "./code.js"
import type { Signature } from "./confirm.js"
import { walletFailure } from "./failure.js"
import { judgeAuthorization, judgeOperation } from "./judge.js"
import { digestMistakes, messageMistakes } from "./mistakes.js"
import type { Settled } from "./options.js"
import type { Wallet } from "./wallet.js"

/** A signature as an operation is submitted with it. */
const serialize = ({ r, s, yParity }: Signature): Hex.Hex =>
  `0x${r.slice(2)}${s.slice(2)}${yParity === 0 ? "1b" : "1c"}`

interface Asking extends Asked, Pick<Wallet, "jsonRpc"> {}

/** Asks a wallet, which may answer or throw anything. */
const ask = (asked: Asking, question: (signal: AbortSignal) => unknown): Effect.Effect<unknown, SwapError.SignError> =>
  Effect.tryPromise({ try: async (signal) => question(signal), catch: walletFailure(asked) })

const signWith = (
  asked: Asking,
  signAuthorization: NonNullable<Wallet["signAuthorization"]>,
  settled: Settled
): NonNullable<Signer.EvmSigner["signAuthorization"]> =>
  Effect.fnUntraced(function* (authorization): Effect.fn.Return<Delegation.Authorization, SwapError.SignError> {
    const { address, chainId, deployment, nonce } = yield* judgeAuthorization(authorization)
    yield* checkCode(settled, chainId, address, deployment)
    const tuple = { chainId, address, nonce }
    const answer = yield* ask(asked, (signal) => signAuthorization({ ...tuple }, signal))
    yield* sameTuple(asked, tuple, answer)
    const hash = hashAuthorization(tuple)
    const { r, s, yParity } = yield* accept(asked, hash, answer, () => digestMistakes(hash))
    return { ...tuple, yParity, r, s }
  })

/**
 * The signer of a wallet. What it closes over cannot be seen from outside, and nothing here is traced: a span keeps its
 * exit, which would be the signature.
 */
export const make = (wallet: Wallet, settled: Settled): Signer.EvmSigner => {
  const { address, jsonRpc, signAuthorization, signMessage } = wallet
  const asked = { who: settled.name ?? wallet.name, address, jsonRpc }
  return {
    address,
    capabilities: { authorization: signAuthorization !== undefined },
    verifyOperation: Effect.fnUntraced(function* (operation): Effect.fn.Return<void, SwapError.SignError> {
      const { deployment, geoOp, request } = yield* judgeOperation(address, operation)
      if (geoOp === undefined) return yield* Operation.unsafe("geoOp", "the fields behind geoOpHash", "absent")
      yield* checkCode(settled, request.originChain, geoOp.delegate, deployment)
    }),
    // Judged once more where there are fields to judge. A bare hash is signed as it is: whoever holds this object can
    // have any 32 bytes signed, the hash of any operation too. The client does so only under "when-possible".
    signOperation: Effect.fnUntraced(function* (operation): Effect.fn.Return<Hex.Hex, SwapError.SignError> {
      const { geoOpHash } = yield* judgeOperation(address, operation)
      const answer = yield* ask(asked, (signal) => signMessage(geoOpHash, signal))
      const hash = hashMessage({ raw: geoOpHash })
      return serialize(yield* accept(asked, hash, answer, () => messageMistakes(geoOpHash)))
    }),
    ...(signAuthorization && { signAuthorization: signWith(asked, signAuthorization, settled) })
  }
}
