/** What the database did wrong, in words: no statement, no value, nothing that a driver wrote. */
import * as Effect from "effect/Effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { StoreUnavailable } from "./Store.js"

const describeReason = (error: SqlError): string => {
  switch (error.reason._tag) {
    case "ConnectionError":
    case "AuthenticationError":
    case "AuthorizationError":
      return "the database cannot be reached; check its address and permissions"
    case "LockTimeoutError":
    case "StatementTimeoutError":
    case "DeadlockError":
    case "SerializationError":
      return "the database is busy; try again"
    case "ConstraintError":
    case "UniqueViolation":
      return "the database refused what contradicts its rows"
    default:
      return "the database failed; its own log says more"
  }
}

/** For the log: which class of error it was, and the driver's code for it. */
const errorDetails = (error: SqlError) => {
  const { cause } = error.reason
  const code = typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined
  return {
    reason: error.reason._tag,
    cause: cause instanceof Error ? cause.name : typeof cause,
    ...(typeof code === "string" || typeof code === "number" ? { code } : {})
  }
}

/** Turns what a database can fail with into `StoreUnavailable`; `doing` is what was tried, "accept the swap". */
export const unavailable = (doing: string) => {
  const report = (error: SqlError) =>
    Effect.andThen(
      Effect.logDebug(`Could not ${doing}`, errorDetails(error)),
      new StoreUnavailable({ message: `Could not ${doing}: ${describeReason(error)}.` })
    )
  return <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, Exclude<E, SqlError> | StoreUnavailable, R> =>
    effect.pipe(
      Effect.catch((error): Effect.Effect<never, Exclude<E, SqlError> | StoreUnavailable> =>
        isSqlError(error) ? report(error) : Effect.fail(error as Exclude<E, SqlError>)
      ),
      // A connection that is lost within a transaction cannot be rolled back either, which Effect holds for a defect.
      Effect.catchDefect((defect) => (isSqlError(defect) ? report(defect) : Effect.die(defect)))
    )
}
