/** The size budget for a bundle, in kB (1000 bytes) of minified and gzipped code. */
export interface Budget {
  readonly name: string
  readonly code: string
  /** The budget with all dependencies in the bundle. */
  readonly included: number
  /** The budget if `effect` is not in the bundle. */
  readonly external: number
}

const entry = (specifier: string, included: number, external: number): Budget => ({
  name: specifier,
  code: `export * from "${specifier}"`,
  included,
  external
})

/**
 * Bundles for what most users import, and one bundle for the exports of each entry point. A client from core is larger
 * than 12 kB because it protects against dishonest services and against swapping twice by mistake. It includes the
 * store with an entry for every flow, idempotency keys, the rules for signing again, signature counts, budgets that
 * still apply when a swap is resumed, the validation of the network, costs and typed refusals, reads from the user's own nodes, consent callbacks, Keccak for checksums, policy
 * checks, approvals of exact terms, the proof of how a swap ended, and the choice between several ways to pay. The EVM signer builds typed data, and compares tokens and Permit2
 * with the chain.
 */
export const budgets: ReadonlyArray<Budget> = [
  // A page that only shows prices. Effect is 27 kB of it, and 23 kB of that are Schema, which decodes the responses.
  {
    name: "quote client + fetch transport",
    code: `export { createQuoteClient, formatAmount, parseAmount } from "@geoswap/core/promise"
export { fetchTransport } from "@geoswap/transport-fetch/promise"`,
    included: 35,
    external: 8.1
  },
  {
    name: "promise client + fetch transport",
    code: `export { createClient } from "@geoswap/core/promise"
export { fetchTransport } from "@geoswap/transport-fetch/promise"`,
    included: 64.9,
    external: 32
  },
  {
    name: "… + signer-evm",
    code: `export { createClient } from "@geoswap/core/promise"
export { fetchTransport } from "@geoswap/transport-fetch/promise"
export { EvmSigner } from "@geoswap/signer-evm/promise"`,
    included: 79.3,
    external: 46.3
  },
  {
    name: "… + signer-evm + signer-solana",
    code: `export { createClient } from "@geoswap/core/promise"
export { fetchTransport } from "@geoswap/transport-fetch/promise"
export { EvmSigner } from "@geoswap/signer-evm/promise"
export { SolanaSigner } from "@geoswap/signer-solana/promise"`,
    included: 95.1,
    external: 62.1
  },
  // Two accounts and the vault, with their creation code. The test tokens include the creation code of Permit2.
  entry("@geoswap/contracts", 14.4, 14.4),
  entry("@geoswap/contracts/testing", 19.5, 19.5),
  entry("@geoswap/core", 71.3, 34.8),
  entry("@geoswap/core/adapters", 33.6, 7.2),
  entry("@geoswap/core/promise", 67, 34),
  entry("@geoswap/core/testing", 67.4, 37.9),
  entry("@geoswap/core/testing/promise", 49, 21.6),
  entry("@geoswap/deployments/networks", 4, 4),
  {
    name: "one network of @geoswap/deployments/networks",
    code: `export { base } from "@geoswap/deployments/networks"`,
    included: 1,
    external: 1
  },
  // Includes the idempotency key for a reviewed form, and the browser store.
  entry("@geoswap/react", 38, 13.3),
  entry("@geoswap/react/query", 32.5, 7.6),
  entry("@geoswap/signer-evm", 51.9, 24.2),
  entry("@geoswap/signer-evm/promise", 50.9, 24.1),
  entry("@geoswap/signer-solana", 54.5, 27.1),
  entry("@geoswap/signer-solana/promise", 54.5, 27),
  // The client's errors and amounts, which the tools describe, are most of it. Includes the reads of balances.
  entry("@geoswap/tools", 47.9, 21.2),
  entry("@geoswap/tools/ai", 1, 1),
  entry("@geoswap/tools/openai", 0.5, 0.5),
  entry("@geoswap/transport-fetch", 36, 8.8),
  entry("@geoswap/transport-fetch/promise", 27, 2.6)
]

/** Node-only entry points, whose size does not matter. */
export const unmeasured: ReadonlyArray<string> = [
  "@geoswap/cli",
  "@geoswap/core/node",
  "@geoswap/core/node/promise",
  "@geoswap/deployments/devnet",
  "@geoswap/devnet",
  "@geoswap/server",
  "@geoswap/service",
  "@geoswap/service/testing"
]
