/** Checked by `tsc`: the types that users of viem, wagmi and wallets can pass without a cast, and the types that they get. */
import type { Signer, SwapError } from "@geoswap/core"
import { type ClientOptions, createClient } from "@geoswap/core/promise"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import {
  type Account,
  type Chain,
  createPublicClient,
  createWalletClient,
  custom,
  type EIP1193Provider,
  type HDAccount,
  http,
  type JsonRpcAccount,
  type LocalAccount,
  type PrivateKeyAccount,
  type PublicClient,
  type Transport,
  type WalletClient
} from "viem"
import type { SmartAccount } from "viem/account-abstraction"
import { mnemonicToAccount, privateKeyToAccount, toAccount } from "viem/accounts"
import { expectTypeOf } from "vitest"
import { EvmSigner } from "../src/index.js"

const address = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
declare const transport: ClientOptions["transport"]

// viem accounts.
EvmSigner.fromAccount(privateKeyToAccount("0x01"))
EvmSigner.fromAccount(mnemonicToAccount("test"))
declare const accounts: { local: LocalAccount; key: PrivateKeyAccount; hd: HDAccount }
EvmSigner.fromAccount(accounts.local)
EvmSigner.fromAccount(accounts.key)
EvmSigner.fromAccount(accounts.hd)
EvmSigner.fromAccount(
  toAccount({
    address,
    signMessage: async () => "0x",
    signTransaction: async () => "0x",
    signTypedData: async () => "0x"
  })
)
declare const rpcAccount: JsonRpcAccount
declare const smartAccount: SmartAccount
// @ts-expect-error its key is in a wallet
EvmSigner.fromAccount(rpcAccount)
// @ts-expect-error a contract has no key
EvmSigner.fromAccount(smartAccount)
// @ts-expect-error a private key is not an account
EvmSigner.fromAccount("0x01")

// Clients of viem and wagmi. useWalletClient returns the second of these types.
declare const clients: {
  readonly any: WalletClient
  readonly wagmi: WalletClient<Transport, Chain, Account>
  readonly readers: PublicClient
  readonly readersOfAChain: PublicClient<Transport, Chain>
}
EvmSigner.fromWalletClient(clients.any)
EvmSigner.fromWalletClient(clients.wagmi)
EvmSigner.fromWalletClient(createWalletClient({ account: address, transport: http() }))
EvmSigner.fromWalletClient(createWalletClient({ account: accounts.key, transport: http() }))
EvmSigner.fromWalletClient(createWalletClient({ transport: http() }), { account: address, name: "MetaMask" })
EvmSigner.fromWalletClient(clients.any, { account: accounts.key })
EvmSigner.fromWalletClient(clients.any, { account: rpcAccount })
EvmSigner.fromWalletClient(clients.any, { account: clients.any.account })
EvmSigner.fromWalletClient(clients.wagmi, { account: clients.wagmi.account })
// @ts-expect-error a key service is not an account
EvmSigner.fromWalletClient(clients.any, { account: { address, signDigest: async () => "0x" } })

// Providers: viem's type, EIP-1193 as specified, and wallets with loose or strict types.
declare const providers: {
  readonly viem: EIP1193Provider
  readonly plain: { request: (args: { method: string; params?: unknown }) => Promise<unknown> }
  readonly lists: { request: (args: { method: string; params?: Array<unknown> }) => Promise<unknown> }
  readonly generic: { request<A>(args: { method: string; params?: Array<unknown> | object }): Promise<A> }
  readonly strict: { request: (args: { method: "personal_sign"; params: [string, string] }) => Promise<string> }
  readonly events: { request(args: { readonly method: string }): Promise<unknown>; on(event: string): void }
}
EvmSigner.fromProvider(providers.viem, address)
EvmSigner.fromProvider(providers.plain, address)
EvmSigner.fromProvider(providers.lists, address)
EvmSigner.fromProvider(providers.generic, address)
EvmSigner.fromProvider(providers.strict, address)
EvmSigner.fromProvider(providers.events, address)
// @ts-expect-error the old way of calling a wallet
EvmSigner.fromProvider({ send: () => Promise.resolve() }, address)
// @ts-expect-error the address is required
EvmSigner.fromProvider(providers.viem)

// Readers of chains: public clients, wallet clients and providers.
const rpc = {
  1: createPublicClient({ transport: http() }),
  10: clients.readers,
  137: clients.readersOfAChain,
  8453: clients.any,
  42161: providers.viem,
  31337: createPublicClient({ transport: custom(providers.viem) })
}
EvmSigner.fromAccount(accounts.key, { rpc, name: "My key" })
// @ts-expect-error a URL is not a client
EvmSigner.fromAccount(accounts.key, { rpc: { 1: "https://node.example" } })
// @ts-expect-error a misspelt option
EvmSigner.fromAccount(accounts.key, { rpcs: rpc })

// Key services with every signature format, as objects and as classes.
EvmSigner.fromKeyService({ address, signDigest: async () => new Uint8Array(70) })
EvmSigner.fromKeyService({ address, signDigest: async () => ({ r: 1n, s: 2n }) })
EvmSigner.fromKeyService({ address, signDigest: async () => ({ r: "0x01", s: new Uint8Array(32), yParity: 1 }) })
EvmSigner.fromKeyService({ address, signDigest: () => "0x" })
EvmSigner.fromKeyService({ address, signDigest: async (digest, { signal }) => (signal.aborted ? "" : digest) })
EvmSigner.fromKeyService({ address, signMessage: async (raw) => raw })
EvmSigner.fromKeyService({
  address,
  signMessage: (raw) => accounts.key.signMessage({ message: { raw } }),
  signAuthorization: (authorization) => accounts.key.signAuthorization(authorization)
})
EvmSigner.fromKeyService({ address, signMessage: async (raw) => raw, signAuthorization: undefined })
declare const maybe: { readonly signAuthorization: EvmSigner.MessageService["signAuthorization"] }
EvmSigner.fromKeyService({ address, signMessage: async (raw) => raw, ...maybe })
declare class Kms implements EvmSigner.DigestService {
  readonly address: string
  signDigest(digest: `0x${string}`): Promise<Uint8Array>
}
EvmSigner.fromKeyService(new Kms())
// @ts-expect-error neither digests nor messages
EvmSigner.fromKeyService({ address })
// @ts-expect-error a signature is not a number
EvmSigner.fromKeyService({ address, signDigest: async () => 7 })

// The promise API returns what a client accepts, without Effect types.
createClient({ transport, signers: { evm: EvmSigner.fromAccount(accounts.key) } })
type Made = ReturnType<
  | typeof EvmSigner.fromAccount
  | typeof EvmSigner.fromWalletClient
  | typeof EvmSigner.fromProvider
  | typeof EvmSigner.fromKeyService
>
expectTypeOf<Made>().toEqualTypeOf<Signer.PromiseEvmSigner>()
expectTypeOf<ReturnType<Made["signOperation"]>>().not.toExtend<Effect.Effect<unknown, unknown, unknown>>()

// The Effect API shows the exact error type and no requirements.
type Layered = ReturnType<
  | typeof EvmSigner.layerAccount
  | typeof EvmSigner.layerWalletClient
  | typeof EvmSigner.layerProvider
  | typeof EvmSigner.layerKeyService
>
expectTypeOf<Layered>().toEqualTypeOf<Layer.Layer<Signer.Signers, SwapError.InvalidInput>>()
expectTypeOf<Parameters<typeof EvmSigner.layerAccount>>().toEqualTypeOf<Parameters<typeof EvmSigner.fromAccount>>()
expectTypeOf<Parameters<typeof EvmSigner.layerProvider>>().toEqualTypeOf<Parameters<typeof EvmSigner.fromProvider>>()
expectTypeOf<Parameters<typeof EvmSigner.layerKeyService>>().toEqualTypeOf<
  Parameters<typeof EvmSigner.fromKeyService>
>()
expectTypeOf<Parameters<typeof EvmSigner.layerWalletClient>>().toEqualTypeOf<
  Parameters<typeof EvmSigner.fromWalletClient>
>()
