/** Counts the open swaps that use each vault, so that operators remove an older vault only when that vault is idle. */
import type { Chains, Store, StoreError, SwapRecord } from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { allSwaps } from "../swaps/allSwaps.js"

/** Returns how many open swaps use a vault. */
export type VaultUses = (chainId: number, vault: string) => number

const vaultKey = (chainId: number, vault: string) => `${chainId} ${vault.toLowerCase()}`

/**
 * The vault used by the swap's signed transaction on a chain. Before the collection is signed, this is the vault that
 * the operation pays into.
 */
const vaultOf = Effect.fnUntraced(function* (
  store: Store.Store,
  chain: Chains.Chain | undefined,
  { id, operation }: SwapRecord.SwapRecord,
  kind: "collect" | "deliver"
) {
  if (chain?.family !== "evm") return []
  const signed = chain.vaultOf(yield* store.attempts(id, kind))
  if (signed !== undefined) return [vaultKey(chain.id, signed)]
  if (kind === "deliver" || operation._tag !== "evm") return []
  return [vaultKey(chain.id, operation.vault)]
})

/** Counts the open swaps that use each vault. If every chain has only one vault, no swaps are read. */
export const countVaultUses = Effect.fnUntraced(function* (
  store: Store.Store,
  chains: ReadonlyMap<number, Chains.Chain>
): Effect.fn.Return<VaultUses, StoreError.StoreUnavailable> {
  const counts = new Map<string, number>()
  const several = [...chains.values()].some(({ vaults }) => vaults.length > 1)
  if (several) {
    yield* Stream.runForEach(
      allSwaps(store, { open: true }),
      Effect.fnUntraced(function* (swap) {
        const used = [
          ...(yield* vaultOf(store, chains.get(swap.originChain), swap, "collect")),
          ...(yield* vaultOf(store, chains.get(swap.destinationChain), swap, "deliver"))
        ]
        for (const key of new Set(used)) counts.set(key, (counts.get(key) ?? 0) + 1)
      })
    )
  }
  return (chainId, vault) => counts.get(vaultKey(chainId, vault)) ?? 0
})
