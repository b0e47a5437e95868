import type { Network } from "../Network.js"
import { validateNetwork } from "../programs/validateNetwork.js"

/**
 * Decodes a network, for example from a JSON file in your repository. Throws `InvalidInput` that names the first
 * invalid field.
 *
 * @example
 * ```ts
 * const network = parseNetwork(JSON.parse(readFileSync("network.json", "utf8")))
 * ```
 */
export const parseNetwork = (json: unknown): Network => {
  const invalid = validateNetwork(json)
  if (invalid) throw invalid
  return json as Network
}
