/** The signer of docs/writing-a-signer.md, extracted from the page: it passes the signer contract. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, describe, it } from "@effect/vitest"
import { signerContract, type SolanaSignerOptions } from "@geoswap/core/testing"
import * as Effect from "effect/Effect"
import { isSignedBy, walletKey } from "./keys.js"

/** The first TypeScript block below a heading. */
const codeBelow = (markdown: string, heading: string): string => {
  const [, section] = markdown.split(new RegExp(`^## ${heading}$`, "m"))
  const [, code] = /^```ts$\n([\s\S]*?)^```$/m.exec(section?.split(/^## /m)[0] ?? "") ?? []
  if (code === undefined) throw new Error(`docs/writing-a-signer.md has no code below "${heading}"`)
  return code
}

interface Documented {
  readonly solanaSigner: (seed: Uint8Array) => ReturnType<SolanaSignerOptions["make"]>
}

// Inside the package, so that its imports resolve.
const folder = await mkdtemp(join(import.meta.dirname, ".documented-"))
const file = join(folder, "solanaSigner.ts")
const page = await readFile(join(import.meta.dirname, "../../../docs/writing-a-signer.md"), "utf8")
await writeFile(file, codeBelow(page, "Solana: a complete signer"))
const { solanaSigner } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Documented
afterAll(() => rm(folder, { recursive: true, force: true }))

describe("the documented signer passes the signer contract", () => {
  const make = () => solanaSigner(walletKey().seed)
  for (const { name, run } of signerContract({ family: "solana", isSignedBy, make })) {
    it.effect(name, () => Effect.promise(run))
  }
})
