/** Handles `geoswap doctor`: checks everything that a swap needs, and lists any problems and how to fix them. */
import type { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Directory from "../../chains/Directory.js"
import * as Settings from "../../config/Settings.js"
import * as Keys from "../../keys/Keys.js"
import * as Exit from "../../output/Exit.js"
import * as Output from "../../output/Output.js"
import * as Session from "../../service/Session.js"
import { checkChain } from "./checkChain.js"
import { checkService } from "./checkService.js"
import { checkStore } from "./checkStore.js"
import { type Finding, findingsOn, orFail } from "./finding.js"

/**
 * Checks the key for a chain family, without opening a keystore or asking for a password. Also returns its address, if it
 * is known.
 */
const checkKey = Effect.fnUntraced(function* (family: Chain.Family) {
  const name = Keys.familyName[family]
  const { ok, warn } = findingsOn(`${name} key`)
  let address: string | undefined
  const check = Effect.gen(function* () {
    if (yield* Keys.isOtherFamily(family)) return []
    const source = yield* Keys.sourceOf(family)
    address = yield* Keys.addressWithoutPassword(family)
    return source === undefined
      ? warn(
          "not configured",
          `To swap from ${name} chains, add a key with geoswap init, or set ${Keys.variables[family]}.`
        )
      : ok(`${address ?? "encrypted"}, from ${Keys.describeSource(source)}`)
  })
  const findings = yield* orFail(`${name} key`, check)
  return { findings, address }
})

const checkChains = Effect.gen(function* () {
  const settings = yield* Settings.Settings
  const { chains } = yield* Directory.Directory
  const keys = { evm: yield* checkKey("evm"), solana: yield* checkKey("solana") }
  const found = yield* Effect.forEach(
    chains.filter(({ served }) => served),
    (chain) => checkChain(chain, keys[chain.family].address, settings),
    { concurrency: 4 }
  )
  return [...keys.evm.findings, ...keys.solana.findings, ...found.flat()]
})

/** Runs the checks. The chains are checked only if the service can be reached. */
const runChecks = Effect.gen(function* () {
  const { fail, ok } = findingsOn("configuration")
  const loaded = yield* Effect.result(Settings.load)
  if (Result.isFailure(loaded)) return fail(loaded.failure.message, loaded.failure.next)
  const { configExists, configFile, devnetFile } = loaded.success
  const service = yield* checkService(loaded.success)
  const reachable = service.every(({ state }) => state !== "fail")
  return [
    ...ok(devnetFile ?? (configExists ? configFile : `${configFile} does not exist yet`)),
    ...service,
    ...(yield* Effect.provideService(checkStore, Settings.Settings, loaded.success)),
    ...(reachable ? yield* orFail("chains", Effect.provide(checkChains, Session.reads)) : [])
  ]
})

/** Checks the setup. */
export const run = Effect.fnUntraced(function* () {
  const output = yield* Output.Output
  const findings = (yield* runChecks).map((finding) => ({
    ...finding,
    ...(finding.next !== undefined && { next: output.repeatFlags(finding.next) })
  }))
  const count = (state: Finding["state"]) => findings.filter((finding) => finding.state === state).length
  yield* Output.result({ ok: count("fail") === 0, findings }, ({ bold, dim, green, red, yellow }) => {
    const mark = { ok: green("ok"), warn: yellow("warn"), fail: bold(red("fail")) }
    return [
      Output.table(findings.map(({ about, found, state }) => [mark[state], about, found])),
      ...findings.flatMap(({ about, next, state }) => (next === undefined ? [] : [`${mark[state]} ${about}: ${next}`])),
      dim(
        `${count("ok")} ok, ${count("warn")} ${count("warn") === 1 ? "warning" : "warnings"}, ${count("fail")} failed`
      )
    ].join("\n")
  })
  if (count("fail") > 0) return yield* Exit.end(Exit.codes.error)
})
