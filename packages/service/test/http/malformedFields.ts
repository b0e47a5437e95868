/** Bodies and parameters that are valid JSON or a valid query, but invalid for the endpoint. */
import { request as quote } from "./webApp.js"

/** A request that no good client sends, and its expected response. Without a body, it is a GET request. */
export interface Malformed {
  readonly name: string
  readonly path: string
  readonly body?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly status: number
  readonly code: string
  /** What the message must contain: the name of a field, or a phrase. */
  readonly says?: ReadonlyArray<string>
}

const { walletAddress: wallet } = quote

const authorization = {
  chainId: 8453,
  address: "0x9a1fc8c0369d49f3040bf49c1490e7006657ea56",
  nonce: 7,
  yParity: 1,
  r: `0x${"1".repeat(64)}`,
  s: `0x${"2".repeat(64)}`
}
const build = { geoQuoteToken: "canaryOfTheToken", authorization }
const submit = { geoOpToken: "canaryOfTheToken", signature: `0x${"5b".repeat(65)}` }
const submitSolana = { geoOpToken: "canaryOfTheToken", signedTransaction: "AgAAAAAAAAAA" }

const refused = (name: string, path: string, says: ReadonlyArray<string>, body?: string): Malformed => ({
  name,
  path,
  ...(body !== undefined && { body }),
  status: 400,
  code: "VALIDATION",
  says
})

const long = (length: number): string => "x".repeat(length)

/** A body with one field changed, or removed if `undefined`, as JSON text. */
const withField = (base: object, path: ReadonlyArray<string>, text: string | undefined): string => {
  const [name = "", ...rest] = path
  const entries = Object.entries({ [name]: undefined, ...base }).flatMap(([key, value]) => {
    if (key !== name) return [`${JSON.stringify(key)}:${JSON.stringify(value)}`]
    const inner = rest.length === 0 ? text : withField(Object(value) as object, rest, text)
    return inner === undefined ? [] : [`${JSON.stringify(key)}:${inner}`]
  })
  return `{${entries.join(",")}}`
}

const each = (
  endpoint: string,
  base: object,
  field: string,
  texts: ReadonlyArray<string | undefined>
): ReadonlyArray<Malformed> =>
  texts.map((text) =>
    refused(
      `${endpoint} with ${field} ${text === undefined ? "missing" : `${text.slice(0, 40)}, ${text.length} long`}`,
      `/swap/${endpoint}`,
      [field],
      withField(base, field.split("."), text)
    )
  )

const notNumbers = [`"8453"`, "1.5", "-1", "0", "9007199254740993", "1e400", "true", "null", "[]", "{}", `"NaN"`, `""`]
const notTexts = ["5", "true", "null", "{}", `["0x"]`, `""`, JSON.stringify(long(129))]
const notDecimals = [
  "",
  "0",
  "00",
  "01",
  "-1",
  "+1",
  "1.5",
  "1.0",
  "1e18",
  "0x10",
  " 1",
  "1 ",
  "1_000",
  "1,000",
  "1n",
  "1\n"
]
const notAmounts = [
  ...[...notDecimals, "\uFF11", "1\u0000", "NaN", "Infinity", "canaryOfTheBody", "9".repeat(79), `${2n ** 256n}`].map(
    (text) => JSON.stringify(text)
  ),
  ..."0 -5 1.5 1e21 9007199254740993 true null [] {}".split(" ")
]
const notTokens = [undefined, `""`, "5", "null", "{}"]
const notQuantities = [
  "1.5",
  "-1",
  `"abc"`,
  `"-1"`,
  `"007"`,
  `"0x"`,
  `"1e3"`,
  `""`,
  "true",
  "9007199254740993",
  `"0x7fffffffffffffff"`
]

const query = (text: string, field: string): Malformed =>
  refused(`delegation of ${text.slice(0, 40)}`, `/swap/delegation${text}`, [field])

const missing = refused(
  "quote with everything missing or wrong",
  "/swap/quote",
  [
    "originChain",
    "destinationChain",
    "inputToken",
    "outputToken",
    "amount",
    "walletAddress",
    "recipient",
    "slippageBps"
  ],
  `{"originChain":"8453","amount":5.5,"slippageBps":-1,"recipient":1,"more":1}`
)

/** The other name of the parity. */
const parities = ["2", "29", "-1", "1.5", `"27x"`, `""`, `"0x1d"`, "true", "{}"].map((v) =>
  refused(
    `build-geo-op with authorization.v ${v}`,
    "/swap/build-geo-op",
    ["authorization.yParity"],
    withField(build, ["authorization", "yParity"], undefined).replace("}}", `,"v":${v}}}`)
  )
)

export const fields: ReadonlyArray<Malformed> = [
  missing,
  ...parities,
  ...each("quote", quote, "originChain", [undefined, ...notNumbers]),
  ...each("quote", quote, "destinationChain", [undefined, ...notNumbers]),
  ...each("quote", quote, "inputToken", [undefined, ...notTexts]),
  ...each("quote", quote, "outputToken", [undefined, ...notTexts]),
  ...each("quote", quote, "walletAddress", [undefined, ...notTexts]),
  ...each("quote", quote, "recipient", ["5", "{}", `""`, JSON.stringify(long(129))]),
  ...each("quote", quote, "slippageBps", [`"50"`, "1.5", "-1", "10001", "true", "[]", "1e400"]),
  ...each("quote", quote, "amount", [undefined, ...notAmounts]),
  ...each("build-geo-op", build, "geoQuoteToken", notTokens),
  ...each("build-solana-tx", build, "geoQuoteToken", notTokens),
  ...each("build-geo-op", build, "previousGeoOpToken", [`""`, "5", "{}", "true"]),
  ...each("build-geo-op", build, "authorization", [`"0x04"`, "[]", "5", "true"]),
  ...each("build-geo-op", build, "authorization.chainId", [undefined, ...notQuantities]),
  ...each("build-geo-op", build, "authorization.nonce", [undefined, ...notQuantities]),
  ...each("build-geo-op", build, "authorization.address", [
    undefined,
    `""`,
    "5",
    `"0x9a1f"`,
    `"${authorization.address.slice(2)}"`,
    `"${authorization.address}00"`,
    `"${authorization.address.replace("fc8c", "Fc8C")}"`,
    `"EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"`
  ]),
  ...each("build-geo-op", build, "authorization.yParity", [undefined, "2", "-1", "27", `"2"`, `"0x2"`, "true", "{}"]),
  ...each("build-geo-op", build, "authorization.r", [undefined, `""`, `"0x"`, `"0xzz"`, `"${"1".repeat(64)}"`, "5"]),
  ...each("build-geo-op", build, "authorization.s", [`"0x${"1".repeat(65)}"`, "null", `"canaryOfTheSignature"`]),
  ...each("submit", submit, "geoOpToken", notTokens),
  ...each("submit", submit, "signature", [
    undefined,
    `""`,
    "5",
    "null",
    "{}",
    `"canaryOfTheSignature"`,
    `"0x"`,
    `"0x${"5b".repeat(64)}"`,
    `"0x${"5b".repeat(66)}"`,
    `"${"5b".repeat(66)}"`,
    `"0x${"zz".repeat(65)}"`
  ]),
  ...each("submit-solana", submitSolana, "geoOpToken", notTokens),
  ...each("submit-solana", submitSolana, "signedTransaction", [
    undefined,
    `""`,
    "5",
    `"canaryOfTheSignature!"`,
    `"AgA"`,
    `"AgA-"`,
    `"Ag=A"`,
    `"===="`,
    `" AgAA"`,
    JSON.stringify("A".repeat(5_000))
  ]),
  query("", "chainId"),
  query("?walletAddress=canaryOfTheWallet", "chainId"),
  query("?chainId=8453", "walletAddress"),
  query("?chainId=8453&walletAddress=", "walletAddress"),
  query(`?chainId=8453&walletAddress=${long(129)}`, "walletAddress"),
  query(`?chainId[]=8453&walletAddress=${wallet}`, "chainId"),
  query(`?chainId=8453&chainId=1&walletAddress=${wallet}`, "chainId"),
  ...["abc", "1.5", "-1", "0", "007", "1e3", "0x1", "99999999999999999999", "%31%zz", "%00", "+1"].map((chainId) =>
    query(`?chainId=${chainId}&walletAddress=${wallet}`, "chainId")
  ),
  ...["abc", "1.5", "0", "%00", "%zz"].map((chainId) => query(`/${chainId}/${wallet}`, "chainId")),
  query(`/8453/${long(129)}`, "walletAddress")
]
