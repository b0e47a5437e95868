/**
 * Faults of the service that a test must find. Each of them could lose money, execute a swap twice, accept too much, reveal
 * another account's data or break idempotency.
 */
import type { Mutant } from "../testing/mutant.ts"
import { acceptance } from "./service/acceptance.ts"
import { execution } from "./service/execution.ts"
import { limits } from "./service/limits.ts"
import { proof } from "./service/proof.ts"
import { refunds } from "./service/refunds.ts"
import { sealing } from "./service/sealing.ts"

export const service: ReadonlyArray<Mutant> = [
  ...acceptance,
  ...limits,
  ...execution,
  ...proof,
  ...refunds,
  ...sealing
].flat()
