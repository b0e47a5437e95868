/** Describes database errors in messages that contain no statements, values or driver text. */
import * as Effect from "effect/Effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { StoreUnavailable } from "../StoreError.js"

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
      return "the database rejected a value that conflicts with existing rows"
    default:
      return "the database failed; see its log"
  }
}

/** The error's class and the driver's error code, for the log. */
const errorDetails = (error: SqlError) => {
  const { cause } = error.reason
  const code = typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined
  return {
    reason: error.reason._tag,
    cause: cause instanceof Error ? cause.name : typeof cause,
    ...(typeof code === "string" || typeof code === "number" ? { code } : {})
  }
}

/**
 * Turns database errors into `StoreUnavailable`. `doing` describes the action that failed, such as "accept the swap".
 */
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
      // If the connection is lost within a transaction, the rollback fails too, which Effect reports as a defect.
      Effect.catchDefect((defect) => (isSqlError(defect) ? report(defect) : Effect.die(defect)))
    )
}
