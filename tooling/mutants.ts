/** Faults that a test must find, in the SDK and in the service. */
import { sdk } from "./mutants/sdk.ts"
import { service } from "./mutants/service.ts"
import type { Mutant } from "./testing/mutant.ts"

export const mutants: ReadonlyArray<Mutant> = [...sdk, ...service]
