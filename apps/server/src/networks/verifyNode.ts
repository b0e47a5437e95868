/** Compares what is expected of a network with one node. */
import { nodeAt, NodeError } from "@geoswap/core/adapters"
import * as Effect from "effect/Effect"
import type { Expectations } from "./expectations.js"
import { verifyEvm } from "./verifyEvm.js"
import { verifySolana } from "./verifySolana.js"

const timeoutMillis = 10_000

/** What a comparison with one node found. */
export interface NodeReport {
  readonly network: string
  readonly chainId: number
  /** The host without the path, which may contain a key. */
  readonly node: string
  /** Whether the node responded to every request. */
  readonly reached: boolean
  readonly problems: ReadonlyArray<string>
}

/** Compares a network with the node at a URL. */
export const verifyNode = (expected: Expectations, url: string): Effect.Effect<NodeReport> => {
  const send = nodeAt(url, (input, init) => fetch(input, init))
  const call: typeof send = (method, params) =>
    Effect.timeoutOrElse(send(method, params), {
      duration: timeoutMillis,
      orElse: () => Effect.fail(new NodeError(`did not respond to ${method} within ${timeoutMillis / 1_000} s`))
    })
  const verify = expected.family === "evm" ? verifyEvm : verifySolana
  const report = { network: expected.name, chainId: expected.id, node: new URL(url).host }
  return Effect.match(verify(expected, call), {
    onFailure: ({ message }) => ({ ...report, reached: false, problems: [`The node ${message}.`] }),
    onSuccess: (problems) => ({ ...report, reached: true, problems })
  })
}
