/** What a bundle may weigh, in kB (1000 bytes) of minified and gzipped code. */
export interface Budget {
  readonly name: string
  readonly code: string
  /** With everything in the bundle. */
  readonly included: number
  /** With `effect` left out of it. */
  readonly external: number
}

const entry = (specifier: string, included: number, external: number): Budget => ({
  name: specifier,
  code: `export * from "${specifier}"`,
  included,
  external
})

/**
 * One bundle for what most users import, and one for everything that each entry point exports. What a client of core
 * weighs above 12 kB is what keeps a lying service and a retry from a second swap: the ledger, idempotency keys, the rules
 * for signing again, the count of signatures and who has resumed them, own nodes asked about what the service calls failed, gates for consent,
 * Keccak for checksums, and the check of the policy.
 */
export const budgets: ReadonlyArray<Budget> = [
  {
    name: "promise client + fetch transport",
    code: `export { createClient } from "@geoswap/core/promise"
export { fetchTransport } from "@geoswap/transport-fetch"`,
    included: 52.5,
    external: 20
  },
  {
    name: "… + signer-evm",
    code: `export { createClient } from "@geoswap/core/promise"
export { fetchTransport } from "@geoswap/transport-fetch"
export { EvmSigner } from "@geoswap/signer-evm"`,
    included: 84,
    external: 51
  },
  {
    name: "… + signer-evm + signer-solana",
    code: `export { createClient } from "@geoswap/core/promise"
export { fetchTransport } from "@geoswap/transport-fetch"
export { EvmSigner } from "@geoswap/signer-evm"
export { SolanaSigner } from "@geoswap/signer-solana"`,
    included: 105,
    external: 75
  },
  entry("@geoswap/contracts", 8.5, 8.5),
  entry("@geoswap/contracts/testing", 8, 8),
  entry("@geoswap/core", 57, 20.5),
  entry("@geoswap/core/promise", 53, 20),
  entry("@geoswap/core/testing", 53.5, 24.5),
  // With the key of a reviewed form and the ledger of a page.
  entry("@geoswap/react", 65.5, 24),
  entry("@geoswap/react/query", 32, 6.5),
  entry("@geoswap/signer-evm", 66, 38.5),
  entry("@geoswap/signer-solana", 54.5, 27),
  entry("@geoswap/transport-fetch", 34.5, 6)
]

/** Runs in Node alone, where nobody counts bytes. */
export const unmeasured: ReadonlyArray<string> = [
  "@geoswap/cli",
  "@geoswap/core/node",
  "@geoswap/devnet",
  "@geoswap/server",
  "@geoswap/service"
]
