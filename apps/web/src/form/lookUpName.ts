/** Names of recipients, which this site's server looks up in the ENS registry that it is configured with. */
import { Chain } from "@geoswap/core"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Family } from "../config.js"

const Found = Schema.Struct({
  name: Schema.NonEmptyString,
  address: Schema.NonEmptyString,
  source: Schema.Literals(["chain", "default", "ethereum"])
})

/** The address of a name, or the reason why it was not found. */
export type LookedUp = typeof Found.Type | { readonly problem: "notFound" | "invalid" | "failed" }

const decode = Schema.decodeUnknownOption(Found)

/** Whether an entry is a name and not an address: labels that are separated by dots. */
export const isName = (entered: string) => /^[^\s.:/]+(\.[^\s.:/]+)+$/u.test(entered)

/** Looks up a name for a chain. An address that is not valid on that chain is not used. */
export const lookUpName = async (
  { id, family }: { readonly id: number; readonly family: Family },
  name: string,
  signal: AbortSignal
): Promise<LookedUp> => {
  const response = await fetch(`/web/names?${new URLSearchParams({ chainId: `${id}`, name })}`, { signal })
  if (response.status === 404) return { problem: "notFound" }
  if (response.status === 400) return { problem: "invalid" }
  const found = response.ok ? Option.getOrUndefined(decode(await response.json())) : undefined
  return found !== undefined && Chain.isAddress(family, found.address) ? found : { problem: "failed" }
}
