/** EVM wallets that announce themselves to pages, by EIP-6963. */
import type { EvmSigner } from "@geoswap/signer-evm"
import { lazyEvm } from "./lazySigner.js"
import { type WalletOption, type EvmWallet, iconOf, nameOf } from "./Wallet.js"

/** An EIP-1193 provider. */
interface Provider extends EvmSigner.Requester {
  readonly on?: ((event: string, listener: (value: unknown) => void) => unknown) | undefined
  readonly removeListener?: ((event: string, listener: (value: unknown) => void) => unknown) | undefined
}

const isProvider = (value: unknown): value is Provider =>
  typeof value === "object" && value !== null && "request" in value && typeof value.request === "function"

const isAddress = (value: unknown): value is string => typeof value === "string" && /^0x[0-9a-fA-F]{40}$/.test(value)

/** The account that a wallet puts first. */
const firstOf = (accounts: unknown): string | undefined =>
  Array.isArray(accounts) ? (accounts as ReadonlyArray<unknown>).find(isAddress) : undefined

const walletOf = (provider: Provider, address: string, name: string, icon: string | undefined): EvmWallet => ({
  family: "evm",
  name,
  address,
  icon,
  asks: true,
  ...lazyEvm(address, false, async () => (await import("./evmSigning.js")).providerSigner(provider, address, { name }))
})

/** An announced wallet to choose, where the announcement is one. */
const choiceOf = (detail: unknown): WalletOption | undefined => {
  const { info, provider } = (detail ?? {}) as { readonly info?: unknown; readonly provider?: unknown }
  if (!isProvider(provider)) return undefined
  const told = (info ?? {}) as { readonly name?: unknown; readonly icon?: unknown; readonly rdns?: unknown }
  const name = nameOf(told.name, "Browser wallet")
  const icon = iconOf(told.icon)
  const wallet = (address: string | undefined) =>
    address === undefined ? undefined : walletOf(provider, address, name, icon)
  return {
    id: `injected:${typeof told.rdns === "string" ? told.rdns : name}`,
    family: "evm",
    name,
    icon,
    connect: async (silent) =>
      wallet(firstOf(await provider.request({ method: silent ? "eth_accounts" : "eth_requestAccounts" }))),
    follow: (changed) => {
      const accounts = (value: unknown) => changed(wallet(firstOf(value)))
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

/** Tells of every wallet that announces itself, now or later; gives what stops it. */
export const discover = (found: (choice: WalletOption) => void): (() => void) => {
  const announced = (event: Event) => {
    const choice = event instanceof CustomEvent ? choiceOf(event.detail) : undefined
    if (choice !== undefined) found(choice)
  }
  window.addEventListener("eip6963:announceProvider", announced)
  window.dispatchEvent(new Event("eip6963:requestProvider"))
  return () => window.removeEventListener("eip6963:announceProvider", announced)
}
