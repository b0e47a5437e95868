/** Reads the contracts to pin from a file or a prompt, and asks for confirmation. */
import { resolve } from "node:path"
import type { Chain, Operation } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Prompts from "../../terminal/Prompts.js"
import { decode, Deployments } from "../../config/ConfigFile.js"
import { declined, failure } from "../../output/Exit.js"
import * as Output from "../../output/Output.js"
import { addressProblem } from "../../chains/addressProblem.js"
import { Host } from "../../node/Host.js"
import { readText } from "../../node/secretFile.js"

type Pinned = Readonly<Record<string, Operation.Deployment>>

/** Explains to the user why the contracts must not come from the service. */
const warning =
  "Every signature is checked against these contracts. Get them from a source you trust, such as the operator's\nwebsite or a colleague, not from the service: a malicious service would lie about them too."

const example = `{ "8453": { "delegates": ["0x…"], "vault": "0x…" } }`

/** Reads a deployment file. */
export const readDeployments = Effect.fnUntraced(function* (named: string) {
  const { folder } = yield* Host
  const path = resolve(folder, named)
  const text = yield* readText(path, `The deployment file ${path}`, `Pass a file in this format: ${example}`)
  return yield* decode(Deployments, path)(text)
})

/** Formats a deployment. */
const formatDeployment = (id: string, name: string | undefined, deployment: Operation.Deployment) => {
  const { codeHash, delegates = [], older = [], relayer, vault } = deployment
  return [
    `On ${name === undefined ? `chain ${id}` : `${name} (${id})`}:`,
    ...delegates.map((delegate) => `  your wallet may be delegated to  ${delegate}`),
    ...older.map((one) => `  or may stay delegated to         ${one.delegate}`),
    ...(codeHash === undefined ? [] : [`    the delegate's code hash is    ${codeHash}`]),
    `  your tokens may be paid into     ${vault}`,
    ...(relayer === undefined ? [] : [`  network fees are paid by         ${relayer}`])
  ].join("\n")
}

const hint = "Pass a file with --deployment <file>."

const promptAddress = (message: string, family: Chain.Family) =>
  Prompts.untilValid(
    Effect.flatMap(Prompts.text(message, hint), (text) => {
      const problem = addressProblem(family, text)
      return problem === undefined ? Effect.succeed(text) : Effect.fail(failure(problem.what, problem.next))
    })
  )

/** Asks which chains to pin contracts for, and then asks for those contracts. */
export const promptDeployments = Effect.fnUntraced(function* (
  chains: ReadonlyArray<{ readonly id: number; readonly name: string; readonly family: Chain.Family }>
) {
  const how = yield* Prompts.select(
    "How do you want to provide the service's contracts?",
    [
      { title: "Read them from a file", value: "file" as const },
      { title: "Type them in", value: "type" as const },
      { title: "Do it later", value: "later" as const, description: "nothing can be signed until then" }
    ],
    hint
  )
  if (how === "later") return {}
  if (how === "file") {
    return yield* Prompts.untilValid(Effect.flatMap(Prompts.text("Path to the contracts file", hint), readDeployments))
  }
  const pinned: Record<string, Operation.Deployment> = {}
  for (const { family, id, name } of chains) {
    if (!(yield* Prompts.confirm(`Pin ${name}?`))) continue
    const vault = yield* promptAddress(`Vault on ${name}`, family)
    pinned[id] =
      family === "solana" ? { vault } : { delegates: [yield* promptAddress(`Delegate on ${name}`, family)], vault }
  }
  return pinned
})

/** Shows the contracts and asks for confirmation. */
export const confirmDeployments = Effect.fnUntraced(function* (
  pinned: Pinned,
  nameOf: (id: string) => string | undefined
) {
  if (Object.keys(pinned).length === 0) return pinned
  yield* Output.notice(
    ["", ...Object.entries(pinned).map(([id, one]) => formatDeployment(id, nameOf(id), one)), "", warning].join("\n")
  )
  if (yield* Prompts.confirm("Pin these contracts?")) return pinned
  return yield* declined(
    "Cancelled. Nothing was written.",
    "Check the contracts with the service operator, then run geoswap init again."
  )
})
