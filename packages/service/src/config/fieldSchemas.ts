/** The kinds of fields that the configuration has, each with words for what it should be. */
import { Amount as CoreAmount, Chain, Hex } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { parseAccountName } from "../accounts/accountName.js"
import { hasWrongChecksum } from "../chains/checksum.js"

/** What the annotations of a field say about it in messages. */
export interface Expectation {
  /** After "should be". */
  readonly expected: string
  /** Never printed: what belongs here is close to a secret. */
  readonly hidden?: boolean
}

/** A text. The test may answer with words of its own. */
const text = (expectation: Expectation, test: (text: string) => boolean | string) =>
  Schema.String.check(Schema.makeFilter(test, { ...expectation }))

const number = (expected: string, test: (value: number) => boolean) =>
  Schema.Number.check(Schema.makeFilter(test, { expected }))

/** A field with a default. */
export const withDefault = <S extends Schema.Top>(schema: S, value: S["Encoded"]) =>
  schema.pipe(Schema.withDecodingDefaultKey(Effect.succeed(value)))

export const Name = text({ expected: "a text of 1 to 64 characters" }, ({ length }) => length >= 1 && length <= 64)

/** The name of an account, as `keys create` takes it. */
export const AccountName = text(
  { expected: "1 to 64 visible characters, with spaces only in between" },
  (value) => parseAccountName(value) === value
)

export const Path = text({ expected: "a text that is not empty" }, ({ length }) => length > 0)

/** Addresses of nodes and venues often hold a key. */
export const Url = text(
  { expected: "an address that starts with http:// or https://", hidden: true },
  (value) => /^https?:\/\/[^\s/?#]+\S*$/.test(value) && URL.canParse(value)
)

/** Where the name of a variable belongs, people paste what is in it. */
export const Variable = text(
  { expected: "the name of an environment variable, such as GEOSWAP_EVM_RELAYER_KEY", hidden: true },
  (value) => /^[A-Z][A-Z0-9_]{0,127}$/.test(value)
)

const grouped = (value: number): string => value.toLocaleString("en-US")

export const whole = (minimum: number, maximum: number) =>
  number(
    `a whole number from ${grouped(minimum)} to ${grouped(maximum)}`,
    (value) => Number.isInteger(value) && value >= minimum && value <= maximum
  )

/** Digits after the point of a fee and of a discount: what follows the fourth would be lost in arithmetic. */
export const fraction = (maximum: number) =>
  number(
    `a number from 0 to ${grouped(maximum)} with at most 4 decimals`,
    (value) => value >= 0 && value <= maximum && Number(value.toFixed(4)) === value
  )

export const Rate = number("a number above 0", (value) => Number.isFinite(value) && value > 0)

/** More nodes than anybody lists for one chain. */
export const maxQuorum = 100

export const ChainId = number("a whole number above 0", Chain.isChainId)

const isDecimal = (value: string): boolean => /^(0|[1-9][0-9]{0,20})(\.[0-9]{1,20})?$/.test(value)

/** Decimal numbers such as prices, which are not amounts of smallest units; texts, since numbers lose digits. */
export const Decimal = text({ expected: 'a decimal number in quotes, such as "0.25"' }, isDecimal)

export const PositiveDecimal = text(
  { expected: 'a decimal number above 0 in quotes, such as "0.25"' },
  (value) => isDecimal(value) && /[1-9]/.test(value)
)

export const Amount = CoreAmount.Amount.annotate({ expected: "a whole number in quotes" })

const EvmText = text({ expected: "an address of 20 bytes in hex" }, (value) =>
  hasWrongChecksum(value)
    ? `"${value}" has a character that is wrong: its capital letters do not fit the rest. If it is right, write it in lower case.`
    : Chain.isAddress("evm", value)
)

/** Lower case, whatever is written. */
export const EvmAddress = EvmText.pipe(Schema.decodeTo(Hex.Address))

export const SolanaAddress = text({ expected: "an address of 32 bytes in base58" }, (value) =>
  Chain.isAddress("solana", value)
)

/** An origin as browsers send it. */
export const Origin = text({ expected: "an origin such as https://app.example.com, without a path" }, (value) => {
  if (value === "*") return '"*" would let any web page use the service: list the origins that may.'
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@*]+$/.test(value)) return false
  return !/^https?:/.test(value) || (URL.canParse(value) && new URL(value).origin === value)
})

/** The page of a transaction in a block explorer. */
export const Explorer = text(
  { expected: "an address such as https://explorer.example/tx/{hash}, with {hash} once behind the host" },
  (value) => /^https:\/\/[^\s/?#@{}]+\/[^\s{}]*\{hash\}[^\s{}]*$/.test(value) && URL.canParse(value)
)
