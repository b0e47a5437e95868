/** The relayers that submits can count on: those that are not retired. */
import * as Effect from "effect/Effect"
import { addressKey } from "../chains/addressKey.js"
import { type Chain, ChainUnavailable } from "../chains/Chains.js"
import type { Store } from "../store/Store.js"
import type { Execution } from "./resources.js"

/** How long the list of retired relayers is cached. */
const cachedMillis = 1_000

export const activeRelayers = (store: Pick<Store, "lanes">): Effect.Effect<Execution["relayersOf"]> =>
  Effect.map(Effect.cachedWithTTL(store.lanes.all, cachedMillis), (lanes) =>
    Effect.fnUntraced(function* ({ id, name, relayers }: Chain) {
      if (relayers.length === 1) return relayers
      const retired = new Set(
        (yield* lanes).flatMap(({ chainId, relayer, retiredAt }) =>
          chainId === id && retiredAt !== undefined ? [addressKey(relayer)] : []
        )
      )
      const [first, ...others] = relayers.filter((relayer) => !retired.has(addressKey(relayer)))
      if (first !== undefined) return [first, ...others] as const
      const message = `All relayers of chain ${id} (${name}) are retired. Restore one: geoswap-server relayers restore`
      return yield* new ChainUnavailable({ chainId: id, message, timeout: false })
    })
  )
