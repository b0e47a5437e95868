/** An EVM wallet that announces itself by EIP-6963. Like all browser wallets, it signs messages but no delegations. */
import type { BrowserContext } from "playwright-core"
import type { Hex } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { type InjectedScriptInput, install, type ScriptedWallet } from "./scriptedWallet.js"

/** The injected script. It is serialized, so it cannot use anything outside of it. */
const inPage = ({ addresses, binding, name }: InjectedScriptInput): void => {
  let accounts = addresses.slice(0, 1)
  let connected = sessionStorage.getItem(binding) !== null
  const listeners = new Map<string, Set<(value: unknown) => void>>()
  const refused = () => Object.assign(new Error("User rejected the request."), { code: 4001 })
  const shown = () => (connected ? accounts : [])

  const request = async ({ method, params }: { method: string; params?: ReadonlyArray<string> }): Promise<unknown> => {
    switch (method) {
      case "eth_accounts":
        return shown()
      case "eth_requestAccounts":
        connected = true
        sessionStorage.setItem(binding, "connected")
        return shown()
      case "eth_chainId":
        return "0x1"
      case "personal_sign": {
        const [payload = "", address = ""] = params ?? []
        const sign = Reflect.get(window, binding) as (address: string, payload: string) => Promise<string | null>
        const signature = await sign(address, payload)
        if (typeof signature !== "string") throw refused()
        return signature
      }
      default:
        throw Object.assign(new Error(`${method} is not supported.`), { code: -32601 })
    }
  }

  addEventListener(`${binding}:accounts`, (event) => {
    const address = (event as CustomEvent<string | undefined>).detail
    accounts = address === undefined ? [] : [address]
    for (const listener of listeners.get("accountsChanged") ?? []) listener(shown())
  })

  const provider = {
    request,
    on: (event: string, listener: (value: unknown) => void) =>
      void listeners.set(event, (listeners.get(event) ?? new Set()).add(listener)),
    removeListener: (event: string, listener: (value: unknown) => void) => void listeners.get(event)?.delete(listener)
  }
  const icon = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg"/>')}`
  const info = { uuid: "350670db-19fa-4704-a166-e52e178b59d2", name, icon, rdns: `example.${binding}` }
  const announce = () =>
    window.dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: Object.freeze({ info, provider }) }))
  addEventListener("eip6963:requestProvider", announce)
  announce()
}

/** Installs a wallet with these keys in a browser. It shares its first account. */
export const injectedWallet = (
  context: BrowserContext,
  name: string,
  privateKeys: ReadonlyArray<string>
): Promise<ScriptedWallet> => {
  const accounts = privateKeys.map((key) => privateKeyToAccount(key as Hex))
  return install(
    context,
    {
      name,
      binding: "injectedWallet",
      addresses: accounts.map(({ address }) => address),
      sign: async (address, payload) => {
        const account = accounts.find((one) => one.address.toLowerCase() === address.toLowerCase())
        if (account === undefined) throw new Error("The wallet does not have this account.")
        return account.signMessage({ message: { raw: payload as Hex } })
      }
    },
    inPage
  )
}
