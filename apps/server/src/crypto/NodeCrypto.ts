/** Encryption and recovery that need Node: faster than those of the service, with the same results. */
import { Cipher, Recovery } from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { nativeRecovery } from "./nativeRecovery.js"
import { nodeCipher } from "./nodeCipher.js"

const recovery = Effect.suspend(() => {
  const native = nativeRecovery()
  return native === undefined
    ? Effect.as(
        Effect.logInfo("signatures are recovered in JavaScript, because there is no native build for this platform"),
        Recovery.javaScript
      )
    : Effect.succeed(native)
})

/** Replaces the defaults of the service. */
export const layer = Layer.merge(Layer.succeed(Cipher.Cipher, nodeCipher), Layer.effect(Recovery.Recovery, recovery))
