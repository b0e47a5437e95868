/** Discovers injected EVM wallets (EIP-6963). */
import type { EvmSigner } from "@geoswap/signer-evm"
import { lazyEvm } from "./lazySigner.js"
import { type WalletOption, type EvmWallet, iconOf, nameOf } from "./Wallet.js"
import { text } from "../language/language.js"

/** An EIP-1193 provider. */
interface Provider extends EvmSigner.Requester {
  readonly on?: ((event: string, listener: (value: unknown) => void) => unknown) | undefined
  readonly removeListener?: ((event: string, listener: (value: unknown) => void) => unknown) | undefined
}

const isProvider = (value: unknown): value is Provider =>
  typeof value === "object" && value !== null && "request" in value && typeof value.request === "function"

const isAddress = (value: unknown): value is string => typeof value === "string" && /^0x[0-9a-fA-F]{40}$/.test(value)

/** Creates the option for an announced wallet, or returns `undefined` if the announcement is invalid. */
const optionOf = (detail: unknown): WalletOption | undefined => {
  const { info, provider } = (detail ?? {}) as { readonly info?: unknown; readonly provider?: unknown }
  if (!isProvider(provider)) return undefined
  const { icon, name: given, rdns } = (info ?? {}) as Readonly<Partial<Record<"name" | "icon" | "rdns", unknown>>>
  const name = nameOf(given, text.wallets.browserWallet)
  const common = { family: "evm", name, icon: iconOf(icon) } as const
  /** Returns the wallet with the first valid address in a list of accounts, if any. */
  const walletIn = (accounts: unknown): EvmWallet | undefined => {
    const address = Array.isArray(accounts) ? (accounts as ReadonlyArray<unknown>).find(isAddress) : undefined
    return address === undefined
      ? undefined
      : {
          ...common,
          address,
          prompts: true,
          ...lazyEvm(address, false, async () =>
            (await import("./evmSigning.js")).providerSigner(provider, address, { name })
          )
        }
  }
  return {
    ...common,
    id: `injected:${typeof rdns === "string" ? rdns : name}`,
    connect: async (silent) =>
      walletIn(await provider.request({ method: silent ? "eth_accounts" : "eth_requestAccounts" })),
    onAccountChange: (changed) => {
      const accounts = (value: unknown) => changed(walletIn(value))
      const disconnect = () => changed(undefined)
      provider.on?.("accountsChanged", accounts)
      provider.on?.("disconnect", disconnect)
      return () => {
        provider.removeListener?.("accountsChanged", accounts)
        provider.removeListener?.("disconnect", disconnect)
      }
    }
  }
}

/** Calls `found` with each wallet that is announced, now or later. Returns a function that unsubscribes. */
export const discover = (found: (option: WalletOption) => void): (() => void) => {
  const announced = (event: Event) => {
    const option = event instanceof CustomEvent ? optionOf(event.detail) : undefined
    if (option !== undefined) found(option)
  }
  window.addEventListener("eip6963:announceProvider", announced)
  window.dispatchEvent(new Event("eip6963:requestProvider"))
  return () => window.removeEventListener("eip6963:announceProvider", announced)
}
