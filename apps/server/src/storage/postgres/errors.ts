/** Maps PostgreSQL and network errors to `effect/sql` errors. */
import {
  AuthenticationError,
  AuthorizationError,
  ConnectionError,
  ConstraintError,
  DeadlockError,
  LockTimeoutError,
  SerializationError,
  SqlError,
  SqlSyntaxError,
  StatementTimeoutError,
  UniqueViolation,
  UnknownError
} from "effect/sql/SqlError"
import { DatabaseError } from "pg"
import { errorCode } from "../../node/errorCode.js"

/** The five-character code of a PostgreSQL error. Network errors have other codes, or none. */
const sqlState = (cause: unknown) => /^(?!E)[0-9A-Z]{5}$/.exec(errorCode(cause))?.[0]

/**
 * Whether an error code means that the connection was lost. 08: connection errors. 57P01 to 57P05: the server is
 * stopping, has crashed or is starting. 53300: too many connections. 25P03: the session was idle in a transaction for
 * too long.
 */
const isLoss = (state: string) =>
  state.startsWith("08") || /^57P0[1-5]$/.test(state) || state === "53300" || state === "25P03"

/** Whether the connection can no longer be used. */
export const isBroken = (cause: unknown) => {
  const state = sqlState(cause)
  return state === undefined || isLoss(state)
}

/**
 * Whether a statement failed because a newer server changed a table after the statement was prepared. In that case, the
 * statement had no effect.
 */
export const isOutdated = (cause: unknown) => sqlState(cause) === "0A000"

const reasonOf = (cause: unknown) => {
  const state = sqlState(cause)
  if (state === undefined || isLoss(state)) return new ConnectionError({ cause })
  if (state === "23505") {
    const constraint = cause instanceof DatabaseError ? cause.constraint : undefined
    return new UniqueViolation({ cause, constraint: constraint ?? "unknown" })
  }
  if (state.startsWith("23")) return new ConstraintError({ cause })
  if (state.startsWith("28")) return new AuthenticationError({ cause })
  if (state === "42501") return new AuthorizationError({ cause })
  if (state.startsWith("42")) return new SqlSyntaxError({ cause })
  if (state === "40P01") return new DeadlockError({ cause })
  if (state.startsWith("40")) return new SerializationError({ cause })
  if (state === "55P03") return new LockTimeoutError({ cause })
  if (state === "57014") return new StatementTimeoutError({ cause })
  return new UnknownError({ cause })
}

export const sqlError = (cause: unknown) => new SqlError({ reason: reasonOf(cause) })
