/**
 * Pseudonyms of the page's visitors, which are stored with their swaps. A pseudonym is the same on all replicas, and does
 * not show the visitor's network address to someone who has only the database.
 */
import { createHmac, hkdfSync } from "node:crypto"
import type { Seal } from "@geoswap/service"
import * as Redacted from "effect/Redacted"

/** Creates the function that returns the pseudonym of a network address. The newest seal key decides about all of them. */
export const make = (environment: string, [newest]: ReadonlyArray<Seal.Key>): ((address: string) => string) => {
  const master = newest === undefined ? new Uint8Array() : Redacted.value(newest.key)
  const key = new Uint8Array(hkdfSync("sha256", master, "", `visitors ${environment}`, 32))
  return (address) => createHmac("sha256", key).update(address).digest("base64url").slice(0, 22)
}
