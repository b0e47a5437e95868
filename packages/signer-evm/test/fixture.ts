/** An operation and a delegation to sign, with an account and helpers. */
import { Signer, type SwapError } from "@geoswap/core"
import { Vectors } from "@geoswap/core/testing"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { privateKeyToAccount } from "viem/accounts"
import { agreement, built } from "./operations.js"
import { privateKey } from "./wallets.js"

export type Hex = `0x${string}`

export const account = privateKeyToAccount(privateKey)
export const operation = built(agreement)
export const delegate = Vectors.evmDeployment.delegates?.[0] as Hex
export const tuple = { chainId: 8453, address: delegate, nonce: 1, deployment: agreement.deployment }

/** A signal that is never aborted. */
export const alive = (): Signer.Abort => ({ signal: new AbortController().signal })

/** The signer of a layer. */
export const effectOf = (layer: Layer.Layer<Signer.Signers, SwapError.InvalidInput>): Signer.Evm =>
  Effect.runSync(
    Effect.provide(
      Effect.map(Signer.Signers, ({ evm }) => evm as Signer.Evm),
      layer
    )
  )
