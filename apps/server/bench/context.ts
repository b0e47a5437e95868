/** What all sections of the benchmark share. */
import type { Process } from "./childProcess.ts"
import type { Cluster } from "./postgres.ts"
import type { Fixture } from "./fixture.ts"

export interface Bench {
  readonly fixture: Fixture
  readonly load: Process
  readonly bare: Process
  readonly barePort: number
  /** A PostgreSQL, started on first use; `undefined` if it is not installed. */
  readonly postgres: () => Promise<Cluster | undefined>
  /** Runs for seconds with a few hundred swaps, to test the benchmark itself. */
  readonly quick: boolean
  /** The folder for CPU profiles of servers, if requested. */
  readonly profiles?: string | undefined
}

/** The note if PostgreSQL is not installed. */
export const noPostgres = "PostgreSQL is not installed: this section was skipped."
