/** Runs the server until a signal stops it. */
import { Config } from "@geoswap/service"
import type * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { formatAddress, HttpServer } from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Admin from "../admin/Admin.js"
import * as Server from "../Server.js"
import * as Telemetry from "../telemetry/Telemetry.js"
import { devnetWallets } from "../devnet/devnetWallets.js"
import { failureList } from "../output/Failure.js"
import { print } from "../output/print.js"
import { version } from "../version.js"
import { loadConfig, loadSecrets } from "./loadConfig.js"
import type { serveFlags } from "./serve.js"

/** Logs when the server starts listening and when it begins to stop, and prints its addresses. */
const announce = ({ environment, web }: Config.Config, offersWallets: boolean) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const url = formatAddress((yield* HttpServer).address)
      yield* Effect.addFinalizer(() =>
        Effect.logInfo("the server is stopping and is now responding to waiting requests")
      )
      yield* Effect.logInfo(`the server is listening on ${url}`)
      yield* print(`geoswap-server ${version} is listening on ${url} (API reference: ${url}/docs)`)
      if (web !== undefined) {
        yield* print(`the swap page is at ${url}/`)
        if (environment === "devnet" && !offersWallets) {
          yield* print("the page offers the wallets in your browser. To offer the devnet's, add --devnet-wallets")
        }
      }
      const { address } = yield* Admin.Admin
      if (address !== undefined) yield* print(`metrics are at ${formatAddress(address)}/metrics`)
    })
  )

/**
 * Runs a server until the fiber is interrupted. The server itself has no span, because a span for the server would be
 * the parent of every request.
 */
export const runServer = Effect.fnUntraced(function* (flags: Command.Command.Config.Infer<typeof serveFlags>) {
  const { config, database } = yield* loadConfig(flags.web)
  const secrets = yield* loadSecrets(config)
  const telemetry = yield* Effect.mapError(Telemetry.read(process.env), ({ problems }) =>
    failureList("The OpenTelemetry variables are invalid:", problems)
  )
  const { host = config.listen.host, port = config.listen.port } = flags
  const admin =
    flags.adminPort === undefined ? config.admin : { ...Config.adminDefaults, ...config.admin, port: flags.adminPort }
  const changed = { ...config, listen: { ...config.listen, host, port }, ...(admin !== undefined && { admin }) }
  const wallets = flags.devnetWallets === undefined ? undefined : yield* devnetWallets(flags.devnetWallets, config)
  return yield* announce(changed, wallets !== undefined).pipe(
    Layer.provide(Server.layer({ config: changed, secrets, database, version, wallets })),
    Layer.provide(telemetry === undefined ? Layer.empty : Telemetry.layer(telemetry, version)),
    Layer.launch,
    Effect.catchTag("Misconfigured", ({ problems }) =>
      Effect.fail(failureList("The chains do not match the configuration:", problems))
    )
  )
})
