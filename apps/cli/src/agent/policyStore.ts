/** The store of a wallet with a policy: open flows as on the rest of this machine, everything else authenticated. */
import type { Store } from "@geoswap/core"
import { SwapError } from "@geoswap/core"
import * as Effect from "effect/Effect"

/**
 * Combines the store of the open flows with the policy's own store. Flows are listed without the wallet's key. Budgets,
 * keys and entries are authenticated. A change of both at once is refused, because it would not be atomic.
 */
export const policyStore = (open: Store.Store, policy: Store.Store): Store.Store => {
  type Change<A> = Parameters<typeof open.update<A>>[1]
  const update = Effect.fnUntraced(function* <A>(
    wallet: string,
    change: Change<A>
  ): Effect.fn.Return<A, SwapError.StoreError> {
    const { entries, spent } = yield* policy.update(wallet, (document) => [document, document])
    type Tried = { readonly answer: A } | { readonly flows: Store.Wallet["flows"] }
    const tried = yield* open.update<Tried>(wallet, (document, now) => {
      const [after, answer] = change({ ...document, entries, spent }, now)
      if (after.entries !== entries || after.spent !== spent) return [document, { flows: document.flows }]
      return [after.flows === document.flows ? document : { ...document, flows: after.flows }, { answer }]
    })
    if ("answer" in tried) return tried.answer
    const { flows } = tried
    return yield* policy.update<A>(wallet, (document, now) => {
      const [after, answer] = change({ ...document, flows }, now)
      if (after.flows !== flows) {
        throw new SwapError.StoreError({ message: "Flows and budgets of a policy cannot be changed together." })
      }
      const isSame = after.entries === document.entries && after.spent === document.spent
      return [isSame ? document : { ...document, entries: after.entries, spent: after.spent }, answer]
    })
  })
  return { ...open, updateKey: policy.updateKey, records: policy.records, update }
}
