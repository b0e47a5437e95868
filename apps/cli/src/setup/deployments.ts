/** The contracts to pin: where they come from, and how they are shown before they are agreed to. */
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import type { Chain, Operation } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Ask from "../terminal/Prompts.js"
import { decode, Deployments, SettingsError } from "../config/ConfigFile.js"
import { Declined } from "../output/Exit.js"
import { Output } from "../output/Output.js"
import { addressProblem } from "../chains/addressProblem.js"
import { Host } from "../node/Host.js"
import { reasonOf } from "../node/secretFile.js"

type Pinned = Readonly<Record<string, Operation.Deployment>>

/** Why nobody may take them from the service. */
const warning =
  "What is signed is checked against these contracts. Take them from a source that you trust, such as the operator's\nown page or a colleague, and not from the service: a service that lies would lie about them as well."

const example = `{ "8453": { "delegates": ["0x…"], "vault": "0x…" } }`

/** Reads the file that was named. */
export const readDeployments = Effect.fnUntraced(function* (named: string) {
  const { folder } = yield* Host
  const path = resolve(folder, named)
  const text = yield* Effect.try({
    try: () => readFileSync(path, "utf8"),
    catch: (cause) =>
      new SettingsError({
        message: `The deployment ${path} cannot be read: ${reasonOf(cause)}.`,
        next: `Name a file of this form: ${example}`
      })
  })
  return yield* decode(Deployments, path)(text)
})

/** A deployment in words. */
const describe = (id: string, name: string | undefined, deployment: Operation.Deployment): string => {
  const { codeHash, delegates = [], relayer, vault } = deployment
  return [
    `On ${name === undefined ? `chain ${id}` : `${name} (${id})`}:`,
    ...delegates.map((delegate) => `  your wallet may be delegated to   ${delegate}`),
    ...(codeHash === undefined ? [] : [`    whose code has the hash         ${codeHash}`]),
    `  what you swap may be paid into    ${vault}`,
    ...(relayer === undefined ? [] : [`  network fees are paid by          ${relayer}`])
  ].join("\n")
}

const typedAddress = (family: Chain.Family) => (text: string) => addressProblem(family, text)?.what

const instead = "Name a file with --deployment <file>."

/** Asks for the contracts of one chain. */
const typeOne = Effect.fnUntraced(function* (chain: {
  readonly id: number
  readonly name: string
  readonly kind: Chain.Family
}) {
  const vault = yield* Ask.text(`Vault on ${chain.name}`, instead, { validate: typedAddress(chain.kind) })
  if (chain.kind === "solana") return { vault }
  const delegate = yield* Ask.text(`Delegate on ${chain.name}`, instead, { validate: typedAddress("evm") })
  return { delegates: [delegate], vault }
})

/** Asks which chains to pin, and their contracts. */
export const typeDeployments = Effect.fnUntraced(function* (
  chains: ReadonlyArray<{ readonly id: number; readonly name: string; readonly kind: Chain.Family }>
) {
  const how = yield* Ask.choose(
    "Where are the service's contracts?",
    [
      { title: "In a file", value: "file" as const },
      { title: "I type them", value: "type" as const },
      { title: "Later", value: "later" as const, description: "nothing can be signed until then" }
    ],
    instead
  )
  if (how === "later") return {}
  if (how === "file") return yield* readDeployments(yield* Ask.text("The file with the contracts", instead))
  const pinned: Record<string, Operation.Deployment> = {}
  for (const chain of chains) {
    if (yield* Ask.confirm(`Pin ${chain.name}?`)) pinned[chain.id] = yield* typeOne(chain)
  }
  return pinned
})

/** Shows what is to be pinned, and asks for a yes. */
export const agree = Effect.fnUntraced(function* (pinned: Pinned, nameOf: (id: string) => string | undefined) {
  if (Object.keys(pinned).length === 0) return pinned
  const output = yield* Output
  yield* output.remark(
    ["", ...Object.entries(pinned).map(([id, one]) => describe(id, nameOf(id), one)), "", warning].join("\n")
  )
  if (yield* Ask.confirm("Pin these contracts?")) return pinned
  return yield* new Declined({
    message: "The contracts were not agreed to, and nothing was written.",
    next: "Ask the operator of the service, and run geoswap init again."
  })
})
