/** The tokens that the user picked last, in this browser. */
import * as Schema from "effect/Schema"
import * as storage from "../storage.js"
import { keyOf, type TokenOption } from "./tokenOptions.js"

const key = "geoswap.tokens"
const most = 4

const stored = () => storage.itemsOf(Schema.String, storage.read(key)).slice(0, most)

/** Returns the last picked tokens that are still offered, the latest first. */
export const recentTokens = (options: ReadonlyArray<TokenOption>): ReadonlyArray<TokenOption> =>
  stored().flatMap((recent) => options.filter((option) => keyOf(option) === recent))

/** Remembers a pick. */
export const rememberToken = (option: TokenOption) => {
  const picked = keyOf(option)
  storage.write(key, [picked, ...stored().filter((one) => one !== picked)].slice(0, most))
}
