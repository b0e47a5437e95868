/** Checked by `tsc`: the types of kit and of the Wallet Standard are accepted without a cast. */
import type { Signer, SwapError } from "@geoswap/core"
import { type ClientOptions, createClient, type PromiseSolanaSigner } from "@geoswap/core/promise"
import {
  type Address,
  createSolanaRpc,
  type GetMultipleAccountsApi,
  type KeyPairSigner,
  type NoopSigner,
  type Rpc,
  type SolanaRpcApi,
  type TransactionModifyingSigner,
  type TransactionPartialSigner,
  type TransactionSendingSigner
} from "@solana/kit"
import type { SolanaSignTransactionFeature } from "@solana/wallet-standard-features"
import type { Wallet, WalletAccount, WalletWithFeatures } from "@wallet-standard/base"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { expectTypeOf } from "vitest"
import { SolanaSigner } from "../src/index.js"

const { fromKeyPair, fromKitSigner, fromKeyService, fromWalletStandard } = SolanaSigner

// The constructors return what the client accepts.
expectTypeOf(fromKeyPair).returns.toEqualTypeOf<Promise<Signer.PromiseSolanaSigner>>()
expectTypeOf(fromKitSigner).returns.toEqualTypeOf<Signer.PromiseSolanaSigner>()
expectTypeOf(fromWalletStandard).returns.toEqualTypeOf<PromiseSolanaSigner>()
expectTypeOf(fromKeyService).returns.toExtend<NonNullable<ClientOptions["signers"]>["solana"]>()

// Every layer provides the signers of a client, has no requirements, and shows its error type.
type Layered = Layer.Layer<Signer.Signers, SwapError.InvalidInput>
expectTypeOf(SolanaSigner.layerKeyPair).returns.toEqualTypeOf<Layered>()
expectTypeOf(SolanaSigner.layerKitSigner).returns.toEqualTypeOf<Layered>()
expectTypeOf(SolanaSigner.layerWalletStandard).returns.toEqualTypeOf<Layered>()
expectTypeOf(SolanaSigner.layerKeyService).returns.toEqualTypeOf<Layered>()
expectTypeOf(SolanaSigner.layerKeyPair).parameters.toEqualTypeOf<Parameters<typeof fromKeyPair>>()
expectTypeOf(SolanaSigner.layerKitSigner).parameters.toEqualTypeOf<Parameters<typeof fromKitSigner>>()
expectTypeOf(SolanaSigner.layerWalletStandard).parameters.toEqualTypeOf<Parameters<typeof fromWalletStandard>>()
expectTypeOf(SolanaSigner.layerKeyService).parameters.toEqualTypeOf<Parameters<typeof fromKeyService>>()

/** Whether the arguments or the result of a promise function contain an Effect or a layer. */
type HoldsEffect<T, Depth extends ReadonlyArray<unknown> = []> = Depth["length"] extends 5
  ? false
  : T extends Effect.Effect<unknown, unknown, unknown> | Layer.Layer<never, unknown, unknown>
    ? true
    : T extends AbortSignal | CryptoKey | Uint8Array | Rpc<GetMultipleAccountsApi>
      ? false
      : T extends (...input: infer I) => infer O
        ? HoldsEffect<I[number], [...Depth, 0]> | HoldsEffect<O, [...Depth, 0]>
        : T extends Promise<infer A>
          ? HoldsEffect<A, [...Depth, 0]>
          : T extends object
            ? { [K in keyof T]-?: HoldsEffect<T[K], [...Depth, 0]> }[keyof T]
            : false
expectTypeOf<HoldsEffect<typeof SolanaSigner.layerKeyService>>().toEqualTypeOf<boolean>()
expectTypeOf<HoldsEffect<typeof fromKeyPair>>().toEqualTypeOf<false>()
expectTypeOf<HoldsEffect<typeof fromKeyService>>().toEqualTypeOf<false>()
expectTypeOf<HoldsEffect<SolanaSigner.WalletStandardOptions>>().toEqualTypeOf<false>()

// Kit.
declare const kit: {
  readonly keyPair: KeyPairSigner
  readonly noop: NoopSigner
  readonly partial: TransactionPartialSigner<"J2xccRtuG43drESLYznHhLhQkLTdfepcKYbiQ9BsJVaf">
  readonly modifying: TransactionModifyingSigner
  readonly sending: TransactionSendingSigner
  readonly address: Address
}
fromKitSigner(kit.keyPair, { name: "The treasury" })
fromKitSigner(kit.noop)
fromKitSigner(kit.partial)
fromKitSigner(kit.modifying)
// @ts-expect-error a signer that can only send is refused by its type
fromKitSigner(kit.sending)

// The application's own RPC.
declare const rpc: Rpc<SolanaRpcApi>
fromKitSigner(kit.keyPair, { lookupTables: rpc })
fromKitSigner(kit.keyPair, { lookupTables: createSolanaRpc("https://rpc.example") })
fromKitSigner(kit.keyPair, { lookupTables: undefined, name: undefined })

// Wallet Standard wallets from `getWallets`. The React hook `useWallets` returns only names of features.
declare const wallet: Wallet
declare const featured: WalletWithFeatures<SolanaSignTransactionFeature>
declare const account: WalletAccount
expectTypeOf<Wallet>().toExtend<SolanaSigner.WalletStandardWallet>()
expectTypeOf<WalletAccount>().toExtend<SolanaSigner.WalletStandardAccount>()
fromWalletStandard(wallet)
fromWalletStandard(featured, { account, chain: "solana:devnet", lookupTables: rpc })
fromWalletStandard(featured, { account: account.address })
declare const uiWallet: Omit<Wallet, "features" | "accounts"> & {
  readonly features: Wallet["chains"]
  readonly accounts: ReadonlyArray<Omit<WalletAccount, "publicKey">>
}
// @ts-expect-error a wallet of the React hook is refused by its type
fromWalletStandard(uiWallet)
// @ts-expect-error a chain has a namespace
fromWalletStandard(featured, { chain: "mainnet" })

// Key services that return bytes or strings, synchronously or not.
fromKeyService({ address: kit.address, signMessage: async () => new Uint8Array(64) })
fromKeyService({ address: "any", signMessage: (message, { signal }) => (signal.aborted ? "" : message) })
fromKeyService({
  address: "any",
  signTransaction: async (transaction, { signal }) => (signal.aborted ? "" : transaction)
})
// @ts-expect-error a key service signs something
fromKeyService({ address: "any" })
// @ts-expect-error a signature is bytes or a string
fromKeyService({ address: "any", signMessage: async () => 5 })

createClient({
  transport: { send: () => Promise.reject(new Error("offline")) },
  signers: { solana: fromKitSigner(kit.keyPair) }
})
