import { describe, expect, it } from "@effect/vitest"
import { type Signer } from "@geoswap/core"
import { type Address } from "@solana/kit"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { SolanaSigner } from "../src/index.js"
import { walletKey } from "./keys.js"
import { agreed } from "./transactions.js"
import { signerOf } from "./wallets.js"

const { fromKitSigner, fromKeyService } = SolanaSigner
const { address } = walletKey()

describe("aborting", () => {
  const forms: Readonly<
    Record<string, (wait: (signal: AbortSignal | undefined) => Promise<never>) => Signer.PromiseSolanaSigner>
  > = {
    "a key service that signs bytes": (wait) =>
      fromKeyService({ address, signMessage: (_, { signal }) => wait(signal) }),
    "a remote signer": (wait) => fromKeyService({ address, signTransaction: (_, { signal }) => wait(signal) }),
    "a partial kit signer": (wait) =>
      fromKitSigner({ address: address as Address, signTransactions: (_, config) => wait(config?.abortSignal) }),
    "a modifying kit signer": (wait) =>
      fromKitSigner({
        address: address as Address,
        modifyAndSignTransactions: (_, config) => wait(config?.abortSignal)
      })
  }

  it.each(Object.entries(forms))("reaches %s, and the call rejects with its reason", async (_, form) => {
    const controller = new AbortController()
    const seen: Array<string> = []
    const signer = form(
      (signal) =>
        new Promise((_, reject) => {
          signal?.addEventListener("abort", () => {
            seen.push("aborted")
            reject(new Error("cancelled"))
          })
          setImmediate(() => controller.abort(new Error("the page was left")))
        })
    )
    await expect(signer.signTransaction(agreed, controller)).rejects.toThrow("the page was left")
    expect(seen).toStrictEqual(["aborted"])
  })

  it.live("an effect reaches the wallet", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const layer = SolanaSigner.layerKeyService({
        address,
        signMessage: (_, { signal }) =>
          new Promise(() => {
            seen.push("called")
            signal.addEventListener("abort", () => seen.push("aborted"))
          })
      })
      const signer = yield* Effect.promise(() => signerOf(layer))
      const fiber = yield* Effect.forkChild(signer.signTransaction(agreed))
      yield* Effect.promise(async () => {
        while (seen.length === 0) await new Promise(setImmediate)
      })
      yield* Fiber.interrupt(fiber)
      expect(seen).toStrictEqual(["called", "aborted"])
    })
  )
})
