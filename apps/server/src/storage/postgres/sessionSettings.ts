/** The settings of our database sessions, and what an address may add to them. */
import type { ClientConfig } from "pg"

/** How long one statement may take, and how long it waits for what another transaction holds. */
const statementMillis = 10_000
const lockMillis = 8_000
/** A server that is stopped in the middle of a transaction does not hold the others up for longer than this. */
const idleInTransactionMillis = 5_000

const bounds = {
  statement_timeout: statementMillis,
  lock_timeout: lockMillis,
  idle_in_transaction_session_timeout: idleInTransactionMillis,
  // A database that does not answer at all: the limits above are its own.
  query_timeout: statementMillis + 2_000
} satisfies ClientConfig

// An answer is given once its swap is on the disk, whatever the database does for others.
const options = { synchronous_commit: "on", default_transaction_isolation: "read\\ committed" }

/** Settings by the names that `options` gives them: `-c name=value` or `--name=value`, where `-` stands for `_`. */
const namesIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/(?:^|\s)(?:-c\s*|--)([\w.-]+)\s*=/g)].map(([, name = ""]) =>
    name.toLowerCase().replaceAll("-", "_")
  )

/** The parameters of an address that would replace a setting of ours. */
export const conflictsIn = (address: string): ReadonlyArray<string> => {
  const { searchParams } = new URL(address)
  const owned = Object.keys({ ...bounds, ...options })
  const inOptions = searchParams.getAll("options").flatMap(namesIn)
  return owned.filter((name) => (name in bounds && searchParams.has(name)) || inOptions.includes(name))
}

/**
 * The address and our settings. `pg` lets the address replace what it is given, so its `options` are taken out and go
 * before ours: PostgreSQL applies them in their order.
 */
export const sessionSettings = (address: string): ClientConfig => {
  const ours = Object.entries(options).map(([name, value]) => `-c ${name}=${value}`)
  const url = new URL(address)
  const given = url.searchParams.getAll("options")
  url.searchParams.delete("options")
  return {
    connectionString: given.length === 0 ? address : url.toString(),
    ...bounds,
    options: [...given, ...ours].join(" ")
  }
}
