/** Where an export goes, a piece at a time: standard output, as fast as somebody reads it, or a file. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Schema from "effect/Schema"
import { Failure } from "../output/Failure.js"

/** Whoever read does not any more, as `head` after its lines: there is nothing left to do, and nothing is wrong. */
class PipeClosed extends Schema.TaggedError<PipeClosed>()("PipeClosed", {}) {
  override get message(): string {
    return "Nobody reads what is written any more."
  }
}

export interface ExportOutput {
  readonly write: (text: string) => Effect.Effect<void, Failure | PipeClosed>
  /** All is written. */
  readonly done: Effect.Effect<void, Failure>
}

const codeOf = (cause: unknown): string => (cause instanceof Error && "code" in cause ? String(cause.code) : "")

/** Standard output. */
export const toStdout: ExportOutput = {
  write: (text) =>
    Effect.callback((resume) => {
      process.stdout.write(text, (cause) => {
        if (cause === undefined || cause === null) return resume(Effect.void)
        const gone = ["EPIPE", "EOF", "ERR_STREAM_DESTROYED"].includes(codeOf(cause))
        const why = `Standard output cannot be written (${codeOf(cause)}).`
        resume(Effect.fail(gone ? new PipeClosed() : new Failure({ message: why })))
      })
    }),
  done: Effect.void
}

/** A file, which has its name only once all of it is there: half an export is never taken for a whole one. */
export const toFile = Effect.fnUntraced(function* (path: string): Effect.fn.Return<ExportOutput, Failure, Scope.Scope> {
  const partial = `${path}.part`
  const attempt = <A>(run: () => A): Effect.Effect<A, Failure> =>
    Effect.try({
      try: run,
      catch: (cause) =>
        new Failure({
          message: `${path} cannot be written (${codeOf(cause)}): check that its folder exists, that this user may write there, and that there is room.`
        })
    })
  const handle = yield* Effect.acquireRelease(
    attempt(() => openSync(partial, "w")),
    (opened) =>
      Effect.sync(() => {
        closeSync(opened)
        rmSync(partial, { force: true })
      })
  )
  return {
    write: (text) =>
      attempt(() => {
        const bytes = Buffer.from(text)
        for (let at = 0; at < bytes.length;) at += writeSync(handle, bytes, at)
      }),
    done: attempt(() => {
      fsyncSync(handle)
      renameSync(partial, path)
    })
  }
})
