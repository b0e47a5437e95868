/** A Solana wallet of the Wallet Standard. */
import {
  createKeyPairFromBytes,
  getAddressFromPublicKey,
  getBase58Encoder,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getTransactionDecoder,
  partiallySignTransaction
} from "@solana/kit"
import type { BrowserContext } from "playwright-core"
import { type InjectedScriptInput, install, type ScriptedWallet } from "./scriptedWallet.js"

/** The injected script. It is serialized, so it cannot use anything outside of it. */
const inPage = ({ addresses, binding, name }: InjectedScriptInput): void => {
  const chains = ["solana:mainnet", "solana:localnet"] as const
  const accountOf = (address: string) => ({
    address,
    publicKey: new Uint8Array(32),
    chains,
    features: ["solana:signTransaction"] as const
  })
  let known = addresses.slice(0, 1)
  let connected = sessionStorage.getItem(binding) !== null
  const listeners = new Set<(change: { readonly accounts: unknown }) => void>()
  const accounts = () => (connected ? known.map(accountOf) : [])
  const changed = () => {
    for (const listener of listeners) listener({ accounts: accounts() })
  }
  addEventListener(`${binding}:accounts`, (event) => {
    const address = (event as CustomEvent<string | undefined>).detail
    known = address === undefined ? [] : [address]
    changed()
  })

  interface Input {
    readonly account: { readonly address: string }
    readonly transaction: Uint8Array
  }
  const signTransaction = async ({ account, transaction }: Input) => {
    const payload = btoa(String.fromCharCode(...transaction))
    const sign = Reflect.get(window, binding) as (address: string, payload: string) => Promise<string | null>
    const signed = await sign(account.address, payload)
    if (typeof signed !== "string") throw Object.assign(new Error("User rejected the request."), { code: 4001 })
    return [{ signedTransaction: Uint8Array.from(atob(signed), (char) => char.charCodeAt(0)) }]
  }

  const wallet = {
    version: "1.0.0",
    name,
    icon: "data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=",
    chains,
    get accounts() {
      return accounts()
    },
    features: {
      "standard:connect": {
        version: "1.0.0",
        connect: async ({ silent = false } = {}) => {
          connected ||= !silent
          if (connected) sessionStorage.setItem(binding, "connected")
          return { accounts: accounts() }
        }
      },
      "standard:events": {
        version: "1.0.0",
        on: (_event: "change", listener: (change: { readonly accounts: unknown }) => void) => {
          listeners.add(listener)
          return () => listeners.delete(listener)
        }
      },
      "solana:signTransaction": { version: "1.0.0", supportedTransactionVersions: ["legacy", 0], signTransaction }
    }
  }
  const register = ({ register }: { readonly register: (one: typeof wallet) => void }) => register(wallet)
  window.dispatchEvent(new CustomEvent("wallet-standard:register-wallet", { detail: register }))
  addEventListener("wallet-standard:app-ready", (event) =>
    register((event as CustomEvent<{ readonly register: (one: typeof wallet) => void }>).detail)
  )
}

/** Installs a wallet with these keys, base58 of 64 bytes each, in a browser. It shares its first account. */
export const standardWallet = async (
  context: BrowserContext,
  name: string,
  privateKeys: ReadonlyArray<string>
): Promise<ScriptedWallet> => {
  const pairs = await Promise.all(
    privateKeys.map(async (key) => {
      const keyPair = await createKeyPairFromBytes(getBase58Encoder().encode(key))
      return { keyPair, address: await getAddressFromPublicKey(keyPair.publicKey) }
    })
  )
  return install(
    context,
    {
      name,
      binding: "standardWallet",
      addresses: pairs.map(({ address }) => address),
      sign: async (address, payload) => {
        const pair = pairs.find((one) => one.address === address)
        if (pair === undefined) throw new Error("The wallet does not have this account.")
        const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(payload))
        return getBase64EncodedWireTransaction(await partiallySignTransaction([pair.keyPair], transaction))
      }
    },
    inPage
  )
}
