/** Parses query strings. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Refusal, refuse } from "../../domain/Refusal.js"
import { delegation } from "../api/requestSchemas.js"
import type { PathMatch } from "./matchPath.js"
import { decoder } from "./validationRefusal.js"

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

/** Creates a parser of the parameters in a query. */
const parser = <A>(schema: Schema.Codec<A, unknown>) => {
  const decode = decoder(schema)
  return ({ query }: Pick<PathMatch<unknown>, "query">) => Effect.flatMap(parseQuery(query), decode)
}

/** Parses the chain and the wallet from a query, as in `GET /swap/delegation`. */
export const walletOf = parser(Schema.Struct(delegation))

/** Parses a name and the chain on which its address is used from a query. */
export const nameOf = parser(Schema.Struct({ chainId: delegation.chainId, name: Schema.NonEmptyString }))
