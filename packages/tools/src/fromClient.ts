/** The backend of the tools, on the promise client of `@geoswap/core`. */
import { type RuledClient, tokenResolver } from "@geoswap/core/promise"
import type { Backend } from "./Backend.js"
import { fromSessions } from "./fromSessions.js"
import { policyView } from "./policyView.js"

const kinds = ["evm", "solana"] as const

/**
 * Creates a backend on a client. Only the pinned tokens of the client's network can be swapped, and only their decimals
 * are used. The client's readers read balances. The client's policy is the boundary: the tools add no permission, and have no limits
 * besides it. Without budgets and recipients in the policy, `execute_swap` refuses. The client's store also has the
 * keys of calls without an `idempotencyKey`.
 *
 * @example
 * ```ts
 * const client = createClient({ network, transport, signers: { evm: signer }, readers, policy, store })
 * const tools = createTools(fromClient(client))
 * ```
 */
export const fromClient = (client: RuledClient): Backend => {
  const { network, readers, wallets } = client.rules
  const { chains } = network
  const names = {
    chains: chains.map(({ family, id, name }) => ({ id, name, family })),
    tokens: chains.flatMap(({ id, tokens = [] }) => tokens.map((token) => ({ chainId: id, ...token })))
  }
  const session = { client, names, resolver: tokenResolver({ network, readers }) }
  return fromSessions(() => Promise.resolve(session), {
    policies: () =>
      Promise.all(
        kinds.flatMap((family) => {
          const wallet = wallets[family]
          return wallet === undefined ? [] : [policyView(names, client.rules, family, wallet)]
        })
      )
  })
}
