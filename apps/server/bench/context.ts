/** What every part of a bench has at hand. */
import type { Process } from "./childProcess.ts"
import type { Cluster } from "./postgres.ts"
import type { World } from "./fixture.ts"

export interface Bench {
  readonly world: World
  readonly load: Process
  readonly bare: Process
  readonly barePort: number
  /** A PostgreSQL, started when it is first asked for; undefined where this machine has none. */
  readonly postgres: () => Promise<Cluster | undefined>
  /** Seconds and a few hundred swaps instead of minutes and thousands: to see that it runs. */
  readonly quick: boolean
  /** Where to leave processor profiles of servers, where somebody wants them. */
  readonly profiles?: string | undefined
}

/** A note for where there is no PostgreSQL. */
export const noPostgres = "PostgreSQL is not installed here: this was left out."
