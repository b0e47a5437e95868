/** Handles `geoswap doctor`: checks everything that a swap needs, and lists any problems and how to fix them. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Directory from "../../chains/Directory.js"
import * as Exit from "../../output/Exit.js"
import { checkChain } from "./checkChain.js"
import { fail, type Finding, ok, orFail } from "./finding.js"
import { checkStore } from "./checkStore.js"
import { checkKey } from "./checkKey.js"
import { checkService } from "./checkService.js"
import * as Output from "../../output/Output.js"
import * as Session from "../../service/Session.js"
import * as Settings from "../../config/Settings.js"

const checkConfig = ({ configExists, configFile, devnetFile }: Settings.Settings): Finding =>
  ok("configuration", devnetFile ?? (configExists ? configFile : `${configFile} does not exist yet`))

const checkChains = Effect.gen(function* () {
  const settings = yield* Settings.Settings
  const { chains } = yield* Directory.Directory
  const evm = yield* checkKey("evm")
  const solana = yield* checkKey("solana")
  const addresses = { evm: evm.address, solana: solana.address }
  const found = yield* Effect.forEach(
    chains.filter(({ served }) => served),
    (chain) => checkChain(chain, addresses[chain.kind], settings),
    { concurrency: 4 }
  )
  return [...evm.findings, ...solana.findings, ...found.flat()]
})

/** Runs the checks. The chains are checked only if the service can be reached. */
const runChecks = Effect.gen(function* () {
  const loaded = yield* Effect.result(Settings.load)
  if (Result.isFailure(loaded)) return [fail("configuration", loaded.failure.message, loaded.failure.next)]
  const service = yield* checkService(loaded.success)
  const reachable = service.every(({ state }) => state !== "fail")
  return [
    checkConfig(loaded.success),
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
  yield* output.result({ ok: count("fail") === 0, findings }, ({ bold, dim, green, red, yellow }) => {
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
