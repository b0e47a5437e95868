/** The protocol with fetch and viem alone: quote, delegate, build, verify, sign, submit, poll. */
import { existsSync, readFileSync } from "node:fs"
import { type Address, encodeAbiParameters, hashTypedData, type Hex, isAddressEqual, keccak256, pad } from "viem"
import { privateKeyToAccount } from "viem/accounts"

interface Chain {
  readonly id: number
  readonly tokens: ReadonlyArray<{ readonly symbol: string; readonly address: Address }>
  readonly contracts: { readonly account: Address; readonly vault: Address }
}

interface Devnet {
  readonly service: { readonly url: string; readonly apiKeys: readonly [string, string] }
  readonly chains: readonly [Chain, Chain, ...ReadonlyArray<Chain>]
  readonly wallets: ReadonlyArray<{ readonly family: string; readonly privateKey: Hex }>
}

interface GeoOp {
  readonly chainId: number
  readonly wallet: Address
  readonly delegate: Address
  readonly token: Address
  readonly amount: string
  readonly vault: Address
  readonly orderId: Hex
  readonly terms: Hex
  readonly nonce: string
  readonly deadline: number
}

const file = ["..", "../.."].map((folder) => `${folder}/.geoswap/devnet.json`).find((path) => existsSync(path))
if (file === undefined) throw new Error("Start a devnet first: npm start")
const { chains, service, wallets } = JSON.parse(readFileSync(file, "utf8")) as Devnet
const [origin, destination] = chains
const account = privateKeyToAccount(wallets.find(({ family }) => family === "evm")?.privateKey ?? "0x")
const tokenOf = ({ tokens }: Chain, symbol: string): Address =>
  tokens.find((token) => token.symbol === symbol)?.address ?? "0x"

/** Calls the service. Throws the service's code and message if it refuses. */
const call = async <A>(path: string, body?: object): Promise<A> => {
  const response = await fetch(service.url + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { "content-type": "application/json", "x-api-key": service.apiKeys[0] },
    body: body === undefined ? null : JSON.stringify(body)
  })
  const answer = (await response.json()) as A & { readonly code?: string; readonly message?: string }
  if (!response.ok) throw new Error(`${path}: ${response.status} ${answer.code}: ${answer.message}`)
  return answer
}

const ensure = (condition: boolean, what: string): void => {
  if (!condition) throw new Error(`The service asks for a signature over something else: ${what}`)
}

const amount = 100_000_000n
const request = {
  originChain: origin.id,
  destinationChain: destination.id,
  inputToken: tokenOf(origin, "USDC"),
  outputToken: tokenOf(destination, "WETH"),
  amount: `${amount}`,
  walletAddress: account.address
}
const quote = await call<{ readonly geoQuoteToken: string; readonly output: string; readonly minOutput: string }>(
  "/swap/quote",
  request
)
console.log("quoted", quote.output)

// An authorization is needed only the first time.
const delegation = await call<{
  readonly delegated: boolean
  readonly delegationTarget: Address
  readonly accountNonce: number
}>(`/swap/delegation?chainId=${origin.id}&walletAddress=${account.address}`)
const authorize = async () => {
  ensure(isAddressEqual(delegation.delegationTarget, origin.contracts.account), "delegationTarget")
  const { r, s, yParity } = await account.signAuthorization({
    chainId: origin.id,
    address: origin.contracts.account,
    nonce: delegation.accountNonce
  })
  return { chainId: origin.id, address: origin.contracts.account, nonce: delegation.accountNonce, yParity, r, s }
}
const authorization = delegation.delegated ? undefined : await authorize()

const built = await call<{ readonly geoOpHash: Hex; readonly geoOpToken: string; readonly geoOp: GeoOp }>(
  "/swap/build-geo-op",
  { geoQuoteToken: quote.geoQuoteToken, authorization }
)

// Compare everything with the request, the quote and the contracts that you trust, then recompute the hash.
const { geoOp } = built
const terms = keccak256(
  encodeAbiParameters(
    [{ type: "uint256" }, { type: "bytes32" }, { type: "bytes32" }, { type: "uint256" }],
    [BigInt(destination.id), pad(request.outputToken), pad(account.address), BigInt(quote.minOutput)]
  )
)
ensure(geoOp.chainId === origin.id && isAddressEqual(geoOp.wallet, account.address), "the wallet or chain")
ensure(isAddressEqual(geoOp.token, request.inputToken) && BigInt(geoOp.amount) === amount, "the token or amount")
ensure(isAddressEqual(geoOp.delegate, origin.contracts.account), "the delegate")
ensure(isAddressEqual(geoOp.vault, origin.contracts.vault), "the vault")
ensure(geoOp.terms === terms, "the terms")
const hash = hashTypedData({
  domain: { chainId: origin.id, verifyingContract: account.address, salt: pad(geoOp.delegate) },
  types: {
    GeoOp: [
      { name: "token", type: "address" },
      { name: "amount", type: "uint256" },
      { name: "vault", type: "address" },
      { name: "orderId", type: "bytes32" },
      { name: "terms", type: "bytes32" },
      { name: "nonce", type: "uint256" },
      { name: "deadline", type: "uint256" }
    ]
  },
  primaryType: "GeoOp",
  message: { ...geoOp, amount, nonce: BigInt(geoOp.nonce), deadline: BigInt(geoOp.deadline) }
})
ensure(hash === built.geoOpHash, "geoOpHash")

const signature = await account.signMessage({ message: { raw: hash } })
interface Swap {
  readonly swapId: string
  readonly status: string
  readonly deliveryTxHash?: Hex
}
let swap = await call<Swap>("/swap/submit", { geoOpToken: built.geoOpToken, signature })
console.log("submitted", swap.swapId)
// Each request is held open until the status changes, for about 15 seconds.
while (swap.status === "pending") swap = await call<Swap>(`/swap/status/${swap.swapId}`)
console.log(swap.status, swap.deliveryTxHash)
if (swap.status !== "settled") process.exitCode = 1
