/** The destination of an export: standard output, with backpressure, or a file. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { errorCode } from "../node/errorCode.js"
import { attempt, Failure } from "../output/Failure.js"

/** The reader closed the pipe, as `head` does. This is not an error. */
class PipeClosed extends Schema.TaggedError<PipeClosed>()("PipeClosed", {}) {
  override get message() {
    return "The reader closed the pipe."
  }
}

/** Writes to standard output. */
export const toStdout = {
  write: (text: string) =>
    Effect.callback<void, Failure | PipeClosed>((resume) => {
      process.stdout.write(text, (cause) => {
        if (cause === undefined || cause === null) return resume(Effect.void)
        const gone = ["EPIPE", "EOF", "ERR_STREAM_DESTROYED"].includes(errorCode(cause))
        const why = `Cannot write to standard output (${errorCode(cause)}).`
        resume(Effect.fail(gone ? new PipeClosed() : new Failure({ message: why })))
      })
    }),
  done: Effect.void
}

/**
 * Writes to a temporary file that is renamed when the export is complete, so that a partial export is not mistaken for
 * a complete one. `done` must be run when everything has been written.
 */
export const toFile = Effect.fnUntraced(function* (path: string) {
  const partial = `${path}.part`
  const explain = (code: string) =>
    `${path} cannot be written (${code}). Check that its folder exists, that the current user can write to it, and that there is free space.`
  const handle = yield* Effect.acquireRelease(
    attempt(() => openSync(partial, "w"), explain),
    (opened) =>
      Effect.sync(() => {
        closeSync(opened)
        rmSync(partial, { force: true })
      })
  )
  return {
    write: (text: string) =>
      attempt(() => {
        const bytes = Buffer.from(text)
        for (let at = 0; at < bytes.length;) at += writeSync(handle, bytes, at)
      }, explain),
    done: attempt(() => {
      fsyncSync(handle)
      renameSync(partial, path)
    }, explain)
  }
})
