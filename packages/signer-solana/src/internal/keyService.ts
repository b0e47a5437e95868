/** A key service (a KMS, an MPC service or a remote signer) wrapped as a wallet. */
import { Chain, type Signer, type SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { invalidInput } from "./constructorInput.js"
import { describeKind } from "./describeValue.js"
import type { ResolvedOptions } from "./options.js"
import { hasMethod } from "./properties.js"
import type { Wallet } from "./wallet.js"

/** Signs bytes, as a KMS, an HSM or an MPC service does. */
export interface MessageKeyService {
  readonly address: string
  /** Returns the Ed25519 signature over exactly these bytes, as 64 bytes or a string in hex, base58 or base64. */
  readonly signMessage: (message: Uint8Array, abort: Signer.Abort) => Promise<Uint8Array | string> | Uint8Array | string
}

/** A remote signer that takes complete transactions. */
export interface TransactionKeyService {
  readonly address: string
  /** Returns the same transaction with the wallet's signature, as bytes or in base64. Must not send the transaction. */
  readonly signTransaction: (
    transaction: string,
    abort: Signer.Abort
  ) => Promise<Uint8Array | string> | Uint8Array | string
}

/** A service that holds the key. If it has both methods, `signMessage` is used. */
export type KeyService = MessageKeyService | TransactionKeyService

export const keyServiceWallet = Effect.fnUntraced(function* (
  keyService: KeyService,
  { name = "The key service" }: ResolvedOptions
): Effect.fn.Return<Wallet, SwapError.InvalidInput> {
  if (typeof keyService !== "object" || keyService === null) {
    const found = describeKind(keyService)
    return yield* invalidInput(
      "keyService",
      `expected { address, signMessage } or { address, signTransaction }, got ${found}.`
    )
  }
  const address: unknown = keyService.address
  if (!Chain.isAddress("solana", address)) {
    return yield* invalidInput("address", `expected the key's Solana address, got ${describeKind(address)}.`)
  }
  if (hasMethod(keyService, "signMessage")) {
    const service = keyService as MessageKeyService
    return {
      name,
      address,
      sign: async ({ messageBytes, signal }) => ({ signature: await service.signMessage(messageBytes, { signal }) })
    }
  }
  if (hasMethod(keyService, "signTransaction")) {
    const service = keyService as TransactionKeyService
    return {
      name,
      address,
      sign: async ({ signal, text }) => ({ transaction: await service.signTransaction(text, { signal }) })
    }
  }
  return yield* invalidInput("keyService", "expected signMessage or signTransaction. Add one of them.")
})
