/** The schemas for configuration fields, each with the expectation to print in messages. */
import { Amount as CoreAmount, Chain, Hex, Payment } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { parseAccountName } from "../domain/accountName.js"
import { hasWrongChecksum } from "../domain/checksum.js"

/** The value that a field expects, stored in the field's annotations. */
export interface Expectation {
  /** The text that follows "expected" in a message. */
  readonly expected: string
  /** Whether to hide the value in messages, because it may be a secret. */
  readonly hidden?: boolean
}

/** Creates a string schema. If a string is invalid, the test returns `false` or an error message. */
const text = (expectation: Expectation, test: (text: string) => boolean | string) =>
  Schema.String.check(Schema.makeFilter(test, { ...expectation }))

const number = (expected: string, test: (value: number) => boolean) =>
  Schema.Number.check(Schema.makeFilter(test, { expected }))

/** A field with a default value. */
export const withDefault = <S extends Schema.Top>(schema: S, value: S["Encoded"]) =>
  schema.pipe(Schema.withDecodingDefaultKey(Effect.succeed(value)))

export const Name = text({ expected: "a string of 1 to 64 characters" }, ({ length }) => length >= 1 && length <= 64)

/** An account name, in the format that the `keys create` command accepts. */
export const AccountName = text(
  { expected: "1 to 64 visible characters with no leading or trailing spaces" },
  (value) => parseAccountName(value) === value
)

export const Path = text({ expected: "a non-empty string" }, ({ length }) => length > 0)

/** The URL of a node or a venue. It often contains a key. */
export const Url = text(
  { expected: "a URL that starts with http:// or https://", hidden: true },
  (value) => /^https?:\/\/[^\s/?#]+\S*$/.test(value) && URL.canParse(value)
)

/** The websocket URL of a node, or an empty string for a node without one. It often contains a key. */
export const SocketUrl = text(
  {
    expected: 'a URL that starts with ws:// or wss:// and has no user name or password, or "" for a node without one',
    hidden: true
  },
  (value) => value === "" || (/^wss?:\/\/[^\s/?#@]+[^\s#@]*$/.test(value) && URL.canParse(value))
)

/**
 * The name of an environment variable. The name is hidden in messages, because people sometimes paste the variable's
 * value instead.
 */
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

/** A fee or a discount with at most 4 decimal places, which is the precision of the fee arithmetic. */
export const fraction = (maximum: number) =>
  number(
    `a number from 0 to ${grouped(maximum)} with at most 4 decimal places`,
    (value) => value >= 0 && value <= maximum && Number(value.toFixed(4)) === value
  )

export const Rate = number("a number greater than 0", (value) => Number.isFinite(value) && value > 0)

/** The largest quorum that can be configured. It exceeds the number of nodes in any realistic configuration. */
export const maxQuorum = 100

export const ChainId = number("a whole number greater than 0", Chain.isChainId)

const isDecimal = (value: string): boolean => /^(0|[1-9][0-9]{0,20})(\.[0-9]{1,20})?$/.test(value)

/** A decimal number, such as a price. It is written as a string, because JSON numbers lose digits. */
export const Decimal = text({ expected: 'a decimal number in quotes, such as "0.25"' }, isDecimal)

export const PositiveDecimal = text(
  { expected: 'a decimal number greater than 0 in quotes, such as "0.25"' },
  (value) => isDecimal(value) && /[1-9]/.test(value)
)

export const Amount = CoreAmount.Amount.annotate({ expected: "a whole number in quotes" })

const EvmText = text({ expected: "a 20-byte address in hex" }, (value) =>
  hasWrongChecksum(value)
    ? `"${value}" has an invalid checksum, so at least one character is wrong. If the address is correct, write it in lower case.`
    : Chain.isAddress("evm", value)
)

/** An EVM address, decoded to lower case. */
export const EvmAddress = EvmText.pipe(Schema.decodeTo(Hex.Address))

/** The keccak256 hash of a contract's code, decoded to lower case. */
export const CodeHash = text({ expected: "a 32-byte hash in hex" }, (value) => Hex.isHex(value, 32)).pipe(
  Schema.decodeTo(Hex.Bytes32)
)

const methods: ReadonlyArray<string> = Payment.methods

/** A payment method other than `delegation`. */
export const PaymentMethod = text({ expected: '"eip3009", "permit2" or "erc2612"' }, (value) =>
  methods.includes(value)
).pipe(Schema.decodeTo(Schema.Literals(Payment.methods)))

export const SolanaAddress = text({ expected: "a 32-byte address in base58" }, (value) =>
  Chain.isAddress("solana", value)
)

/** An origin in the form that browsers send. */
export const Origin = text({ expected: "an origin such as https://app.example.com, without a path" }, (value) => {
  if (value === "*") return '"*" would let any web page use the service. List the allowed origins.'
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@*]+$/.test(value)) return false
  return !/^https?:/.test(value) || (URL.canParse(value) && new URL(value).origin === value)
})

/** A host name in the form that browsers send. */
export const HostName = text(
  { expected: "a host name such as swap.example.com, in lower case and without a port" },
  (value) =>
    /^[^\s/?#@:*\\]+$/.test(value) && URL.canParse(`http://${value}`) && new URL(`http://${value}`).host === value
)

/** The URL of a transaction in a block explorer. */
export const Explorer = text(
  { expected: "a URL such as https://explorer.example/tx/{hash}, with {hash} exactly once, after the host" },
  (value) => /^https:\/\/[^\s/?#@{}]+\/[^\s{}]*\{hash\}[^\s{}]*$/.test(value) && URL.canParse(value)
)
