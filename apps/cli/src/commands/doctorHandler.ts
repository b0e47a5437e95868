/** `geoswap doctor`: looks at everything that a swap needs, and says what to do about what is wrong. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Directory from "../chains/Directory.js"
import * as Exit from "../output/Exit.js"
import { lookAtChain } from "../doctor/checkChain.js"
import { fail, type Finding, ok, orFail } from "../doctor/finding.js"
import { lookAtJournal } from "../doctor/checkJournal.js"
import { lookAtKey } from "../doctor/checkKey.js"
import { lookAtService } from "../doctor/checkService.js"
import * as Output from "../output/Output.js"
import * as Session from "../service/Session.js"
import * as Settings from "../config/Settings.js"

const lookAtConfig = ({ configExists, configFile, devnetFile }: Settings.Shape): Finding =>
  ok("configuration", devnetFile ?? (configExists ? configFile : `${configFile} is not written yet`))

const lookAtChains = Effect.gen(function* () {
  const settings = yield* Settings.Settings
  const { chains } = yield* Directory.Directory
  const evm = yield* lookAtKey("evm")
  const solana = yield* lookAtKey("solana")
  const addresses = { evm: evm.address, solana: solana.address }
  const looked = yield* Effect.forEach(
    chains.filter(({ served }) => served),
    (chain) => lookAtChain(chain, addresses[chain.kind], settings),
    { concurrency: 4 }
  )
  return [...evm.findings, ...solana.findings, ...looked.flat()]
})

/** Everything, as far as one thing lets the next be looked at. */
const examine = Effect.gen(function* () {
  const loaded = yield* Effect.result(Settings.load)
  if (Result.isFailure(loaded)) return [fail("configuration", loaded.failure.message, loaded.failure.next)]
  const service = yield* lookAtService(loaded.success)
  const reachable = service.every(({ state }) => state !== "fail")
  return [
    lookAtConfig(loaded.success),
    ...service,
    ...(yield* lookAtJournal(loaded.success)),
    ...(reachable ? yield* orFail("chains", Effect.provide(lookAtChains, Session.reads)) : [])
  ]
})

/** Looks at everything. */
export const run = Effect.fnUntraced(function* () {
  const output = yield* Output.Output
  const findings = yield* examine
  const count = (state: Finding["state"]) => findings.filter((finding) => finding.state === state).length
  yield* output.answer({ ok: count("fail") === 0, findings }, ({ bold, dim, green, red, yellow }) => {
    const mark = { ok: green("ok"), warn: yellow("warn"), fail: bold(red("fail")) }
    return [
      Output.table(findings.map(({ about, found, state }) => [mark[state], about, found])),
      ...findings.flatMap(({ about, next, state }) => (next === undefined ? [] : [`${mark[state]} ${about}: ${next}`])),
      dim(`${count("ok")} ok, ${count("warn")} to look at, ${count("fail")} wrong`)
    ].join("\n")
  })
  if (count("fail") > 0) return yield* Exit.end(Exit.codes.error)
})
