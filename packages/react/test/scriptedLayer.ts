/** The scripted service as a layer that records when it is built and closed. */
import { Policy, Signer, Store, Transport } from "@geoswap/core"
import { ScriptedTransport, TestSigner } from "@geoswap/core/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** Creates a layer with everything that a client needs. */
export const scriptedLayer = () => {
  const service = ScriptedTransport.make()
  service.ends("settled", 5)
  const lifecycle: Array<"built" | "ended"> = []
  const transport = Layer.effect(
    Transport.Transport,
    Effect.acquireRelease(
      Effect.sync(() => {
        lifecycle.push("built")
        return service.transport
      }),
      () => Effect.sync(() => void lifecycle.push("ended"))
    )
  )
  const layer = Layer.mergeAll(
    transport,
    Signer.layer({ evm: TestSigner.evm(), solana: TestSigner.solana() }),
    Policy.layer({ network: service.network }),
    Store.layerMemory
  )
  return { service, layer, lifecycle }
}
