/** Parses query strings. */
import type { Delegation } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { NameQuery } from "../../calls/Names.js"
import { type Refusal, refuse } from "../../domain/Refusal.js"
import { delegation } from "../api/requestSchemas.js"
import type { PathMatch } from "./matchPath.js"
import { validationRefusal } from "./validationRefusal.js"

/** Parses a query string. Rejects duplicate parameters. */
export const parseQuery = (query: string): Effect.Effect<Readonly<Record<string, string>>, Refusal> => {
  const found: Record<string, string> = {}
  for (const [name, value] of new URLSearchParams(query)) {
    if (Object.hasOwn(found, name)) {
      const known = name === "chainId" || name === "walletAddress" || name === "name" ? name : "a parameter"
      return Effect.fail(refuse("VALIDATION", `The query contains ${known} more than once. Send it only once.`))
    }
    if (value !== "") found[name] = value
  }
  return Effect.succeed(found)
}

const decode = Schema.decodeUnknownEffect(Schema.Struct(delegation), { errors: "all" })

/** Parses the chain and the wallet from a query, as in `GET /swap/delegation`. */
export const walletOf = ({
  query
}: Pick<PathMatch<unknown>, "query">): Effect.Effect<Delegation.DelegationQuery, Refusal> =>
  Effect.flatMap(parseQuery(query), (parameters) =>
    Effect.mapError(decode(parameters), ({ issue }) => validationRefusal(issue))
  )

const decodeName = Schema.decodeUnknownEffect(
  Schema.Struct({ chainId: delegation.chainId, name: Schema.NonEmptyString }),
  { errors: "all" }
)

/** Parses a name and the chain on which its address is used from a query. */
export const nameOf = ({ query }: Pick<PathMatch<unknown>, "query">): Effect.Effect<NameQuery, Refusal> =>
  Effect.flatMap(parseQuery(query), (parameters) =>
    Effect.mapError(decodeName(parameters), ({ issue }) => validationRefusal(issue))
  )
