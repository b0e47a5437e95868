/** The committed transcripts of a client that knows only the interface document. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

export type Json =
  | string
  | number
  | boolean
  | null
  | ReadonlyArray<Json>
  | {
      readonly [key: string]: Json
    }

type Headers = Readonly<Record<string, string>>

/** A request and its response, with placeholders for values that differ by run. */
export interface Exchange {
  /** What this exchange shows, if the request alone does not show it. */
  readonly note?: string
  readonly request: {
    readonly method: string
    readonly path: string
    readonly headers: Headers
    /** A string if it is not JSON. */
    readonly body?: Json
  }
  readonly response: { readonly status: number; readonly headers: Headers; readonly body: Json }
}

export type Transcript = ReadonlyArray<Exchange>

const folder = fileURLToPath(new URL("transcripts/", import.meta.url))

/** The names of all committed transcripts. */
export const names = (): ReadonlyArray<string> =>
  readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .map((file) => file.slice(0, -".json".length))
    .toSorted()

export const read = (name: string): Transcript =>
  JSON.parse(readFileSync(`${folder}${name}.json`, "utf8")) as Transcript

export const write = (name: string, transcript: Transcript): void => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}${name}.json`, `${JSON.stringify(transcript, null, 2)}\n`)
}
