/** The settings for our database sessions, and what a URL may add to them. */
import type { ClientConfig } from "pg"

/** How long a statement may take, and how long it waits for a lock. */
const statementMillis = 10_000
const lockMillis = 8_000
/** How long a server that hangs in the middle of a transaction can block other servers. */
const idleInTransactionMillis = 5_000

const bounds = {
  statement_timeout: statementMillis,
  lock_timeout: lockMillis,
  idle_in_transaction_session_timeout: idleInTransactionMillis,
  // The client's own limit, in case the database does not respond at all.
  query_timeout: statementMillis + 2_000
} satisfies ClientConfig

// A swap must be on disk before it is acknowledged, regardless of the database's defaults.
const options = { synchronous_commit: "on", default_transaction_isolation: "read\\ committed" }

/**
 * The names of the settings in an `options` string. A setting is written as `-c name=value`, or as `--name=value` with
 * `-` instead of `_` in the name.
 */
const namesIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/(?:^|\s)(?:-c\s*|--)([\w.-]+)\s*=/g)].map(([, name = ""]) =>
    name.toLowerCase().replaceAll("-", "_")
  )

/** The URL parameters that would override our settings. */
export const conflictsIn = (address: string): ReadonlyArray<string> => {
  const { searchParams } = new URL(address)
  const owned = Object.keys({ ...bounds, ...options })
  const inOptions = searchParams.getAll("options").flatMap(namesIn)
  return owned.filter((name) => (name in bounds && searchParams.has(name)) || inOptions.includes(name))
}

/**
 * Combines the URL with our settings. In `pg`, the URL overrides all other settings. The URL's `options` are therefore
 * removed from the URL and placed before our options. PostgreSQL applies all options in order, so ours take precedence.
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
