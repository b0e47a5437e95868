/** `geoswap-server serve`: runs until a signal, and then ends what it holds. */
import * as Effect from "effect/Effect"
import { formatAddress, HttpServer } from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Server from "../Server.js"
import type { Flags } from "./line.js"
import { type Failure, failWith, load, loadSecrets, say } from "./setting.js"
import { version } from "./version.js"

type StartError = Exclude<Server.StartError, { readonly _tag: "Misconfigured" }>

/** Tells when requests are answered, and when they are not any more. */
const announce = Layer.effectDiscard(
  Effect.gen(function* () {
    const url = formatAddress((yield* HttpServer).address)
    yield* Effect.addFinalizer(() => Effect.logInfo("the server ends: what is held is answered now"))
    yield* Effect.logInfo(`the server listens on ${url}`)
    yield* say(`geoswap-server ${version} listens on ${url} (its API is described at ${url}/docs)`)
  })
)

/** Runs a server until the fiber is interrupted. */
export const serve = Effect.fn("serve")(function* (
  flags: Pick<Flags, "config" | "host" | "port">
): Effect.fn.Return<never, Failure | StartError> {
  const { config, database } = yield* load(flags.config)
  const secrets = yield* loadSecrets(config)
  const listen = { host: flags.host ?? config.listen.host, port: flags.port ?? config.listen.port }
  const server = Server.layer({ config: { ...config, listen }, secrets, database, version })
  return yield* Layer.launch(announce.pipe(Layer.provide(server))).pipe(
    Effect.catchTag("Misconfigured", ({ problems }) =>
      Effect.fail(failWith("The chains are not as the configuration says:", problems))
    )
  )
})
