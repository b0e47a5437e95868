/** A key service in promises as a wallet. */
import { Chain, type Signer, type SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { invalidInput } from "./constructorInput.js"
import { describeKind } from "./describeValue.js"
import type { ResolvedOptions } from "./options.js"
import { hasMethod } from "./properties.js"
import type { Wallet } from "./wallet.js"

/** A key service that signs bytes: a KMS, an HSM, an MPC service. */
export interface MessageKeyService {
  readonly address: string
  /** The Ed25519 signature over exactly these bytes: 64 bytes, or their text in hex, base58 or base64. */
  readonly signMessage: (message: Uint8Array, abort: Signer.Abort) => Promise<Uint8Array | string> | Uint8Array | string
}

/** A remote signer that takes whole transactions. */
export interface TransactionKeyService {
  readonly address: string
  /** The same transaction with the wallet's signature, as bytes or in base64. It must not be sent. */
  readonly signTransaction: (
    transaction: string,
    abort: Signer.Abort
  ) => Promise<Uint8Array | string> | Uint8Array | string
}

/** Whoever holds the key, as functions; `signMessage` is used where both are there. */
export type KeyService = MessageKeyService | TransactionKeyService

export const keyServiceWallet = Effect.fnUntraced(function* (
  keyService: KeyService,
  { name = "The key service" }: ResolvedOptions
): Effect.fn.Return<Wallet, SwapError.InvalidInput> {
  if (typeof keyService !== "object" || keyService === null) {
    const found = describeKind(keyService)
    return yield* invalidInput(
      "keyService",
      `should have an address and signMessage or signTransaction, and is ${found}`
    )
  }
  const address: unknown = keyService.address
  if (!Chain.isAddress("solana", address)) {
    return yield* invalidInput("address", `should be the key's address on Solana, and is ${describeKind(address)}`)
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
  return yield* invalidInput("keyService", "has no signMessage and no signTransaction. Give it one of the two")
})
