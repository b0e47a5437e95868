/** Every kind of wallet, with the parts of the signer contract that it can pass. */
import { Signer } from "@geoswap/core"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { createWalletClient, custom } from "viem"
import { mnemonicToAccount, privateKeyToAccount, toAccount } from "viem/accounts"
import { EvmSigner } from "../src/index.js"
import { address, BrowserWallet, digestService, privateKey, RemoteSigner } from "./wallets.js"

/** One signer, as a promise signer and as a layer. */
export interface Forms {
  readonly promise: () => Signer.PromiseEvmSigner
  readonly layer: () => Layer.Layer<Signer.Signers, unknown>
}

/** The signer of a layer. */
export const built = (layer: Layer.Layer<Signer.Signers, unknown>) =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const { evm } = yield* Signer.Signers
        return evm ?? (yield* Effect.die("the layer has no EVM signer"))
      }).pipe(Effect.provide(layer))
    )
  )

/** Calls `passes` for every wallet: whether it signs authorizations (`able`) and typed data (`typed`). */
export const eachWallet = (passes: (name: string, forms: Forms, able?: boolean, typed?: boolean) => void): void => {
  const account = privateKeyToAccount(privateKey)
  const { sign, signAuthorization, signMessage, signTransaction, signTypedData } = account

  passes("a private key account", {
    promise: () => EvmSigner.fromAccount(account),
    layer: () => EvmSigner.layerAccount(account)
  })

  const hd = mnemonicToAccount("test test test test test test test test test test test junk")
  passes("a mnemonic account", {
    promise: () => EvmSigner.fromAccount(hd),
    layer: () => EvmSigner.layerAccount(hd)
  })

  const custom7702 = toAccount({ address, signMessage, signTransaction, signTypedData, signAuthorization })
  passes("a custom account that signs authorizations", {
    promise: () => EvmSigner.fromAccount(custom7702),
    layer: () => EvmSigner.layerAccount(custom7702)
  })

  const hashing = toAccount({ address, sign, signMessage, signTransaction, signTypedData })
  passes("a custom account that signs hashes", {
    promise: () => EvmSigner.fromAccount(hashing),
    layer: () => EvmSigner.layerAccount(hashing)
  })

  const plain = toAccount({ address, signMessage, signTransaction, signTypedData })
  passes(
    "a custom account that signs only messages",
    { promise: () => EvmSigner.fromAccount(plain), layer: () => EvmSigner.layerAccount(plain) },
    false
  )

  const local = createWalletClient({ account, transport: custom(new BrowserWallet()) })
  passes("a wallet client with a local account", {
    promise: () => EvmSigner.fromWalletClient(local),
    layer: () => EvmSigner.layerWalletClient(local)
  })

  const remote = createWalletClient({ account: address, transport: custom(new BrowserWallet()) })
  passes(
    "a wallet client with a json-rpc account",
    { promise: () => EvmSigner.fromWalletClient(remote), layer: () => EvmSigner.layerWalletClient(remote) },
    false
  )

  const unbound = createWalletClient({ transport: custom(new BrowserWallet()) })
  passes(
    "a wallet client without an account, with an address as option",
    {
      promise: () => EvmSigner.fromWalletClient(unbound, { account: address }),
      layer: () => EvmSigner.layerWalletClient(unbound, { account: address })
    },
    false
  )

  passes(
    "a browser wallet",
    {
      promise: () => EvmSigner.fromProvider(new BrowserWallet(), address),
      layer: () => EvmSigner.layerProvider(new BrowserWallet(), address)
    },
    false
  )

  passes("a key service that returns DER", {
    promise: () => EvmSigner.fromKeyService(digestService()),
    layer: () => EvmSigner.layerKeyService(digestService())
  })

  passes(
    "a remote signer class that signs messages and delegations",
    {
      promise: () => EvmSigner.fromKeyService(new RemoteSigner()),
      layer: () => EvmSigner.layerKeyService(new RemoteSigner())
    },
    true,
    false
  )

  const typedService: EvmSigner.MessageService = {
    address,
    signMessage: (raw) => new RemoteSigner().signMessage(raw),
    signTypedData: (data) => signTypedData(data as never)
  }
  passes(
    "a remote signer that signs messages and typed data",
    {
      promise: () => EvmSigner.fromKeyService(typedService),
      layer: () => EvmSigner.layerKeyService(typedService)
    },
    false
  )

  passes(
    "a remote signer that signs only messages",
    {
      promise: () => EvmSigner.fromKeyService({ address, signMessage: (raw) => new RemoteSigner().signMessage(raw) }),
      layer: () => EvmSigner.layerKeyService({ address, signMessage: (raw) => new RemoteSigner().signMessage(raw) })
    },
    false,
    false
  )
}
