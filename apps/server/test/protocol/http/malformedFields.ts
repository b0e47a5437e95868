/** Bodies and parameters that are valid JSON or a valid query, but invalid for the endpoint. */
import { type Malformed, requestText } from "./rawHttp.js"

const wallet = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"

export const quote = {
  originChain: 8453,
  destinationChain: 42161,
  inputToken: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
  outputToken: "0x82af49447d8a07e3bd95bd0d56f35241523fbab1",
  amount: "10000000",
  walletAddress: wallet
}

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

/** Sends a body to an endpoint as JSON. */
const post =
  (path: string, body: string): Malformed["steps"] =>
  (apiKey) => [requestText("POST", path, { "x-api-key": apiKey, "content-type": "application/json" }, body)]

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
  texts.map((text) => ({
    name: `${endpoint} with ${field} ${text === undefined ? "missing" : `${text.slice(0, 40)}, ${text.length} long`}`,
    steps: post(`/swap/${endpoint}`, withField(base, field.split("."), text)),
    status: 400,
    code: "VALIDATION",
    says: [field]
  }))

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

const query = (text: string, field: string): Malformed => ({
  name: `delegation of ${text.slice(0, 40)}`,
  steps: (apiKey) => [requestText("GET", `/swap/delegation${text}`, { "x-api-key": apiKey })],
  status: 400,
  code: "VALIDATION",
  says: [field]
})

const missing: Malformed = {
  name: "quote with everything missing or wrong",
  steps: post("/swap/quote", `{"originChain":"8453","amount":5.5,"slippageBps":-1,"recipient":1,"more":1}`),
  status: 400,
  code: "VALIDATION",
  says: [
    "originChain",
    "destinationChain",
    "inputToken",
    "outputToken",
    "amount",
    "walletAddress",
    "recipient",
    "slippageBps"
  ]
}

/** The other name of the parity. */
const parities = ["2", "29", "-1", "1.5", `"27x"`, `""`, `"0x1d"`, "true", "{}"].map((v) => ({
  name: `build-geo-op with authorization.v ${v}`,
  steps: post(
    "/swap/build-geo-op",
    withField(build, ["authorization", "yParity"], undefined).replace("}}", `,"v":${v}}}`)
  ),
  status: 400,
  code: "VALIDATION",
  says: ["authorization.yParity"]
}))

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
