/**
 * An EVM wallet that behaves like MetaMask: it announces itself by EIP-6963 and as `window.ethereum`, signs no
 * delegations, rejects typed data whose `verifyingContract` is one of its accounts or whose chain is not the active one,
 * and switches only to networks that it knows. The keys and the state are in Node, so the wallet survives a reload.
 */
import type { BrowserContext, Page } from "playwright-core"
import type { Hex, TypedDataDefinition } from "viem"
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts"
import type { Behavior, ScriptedWallet } from "./scriptedWallet.js"

/** Typed data in the form of `eth_signTypedData_v4`. */
interface PromptedData {
  readonly primaryType: string
  readonly domain: Readonly<Record<string, unknown>>
  readonly types: Readonly<Record<string, ReadonlyArray<{ readonly name: string; readonly type: string }>>>
  readonly message: Readonly<Record<string, unknown>>
}

/** What the wallet showed to the user. */
type Prompt =
  | { readonly kind: "connect" }
  | { readonly kind: "switch"; readonly chainId: number }
  | { readonly kind: "message"; readonly message: string }
  | { readonly kind: "typedData"; readonly data: PromptedData }

/** A wallet that records what it showed. */
export interface InjectedWallet extends ScriptedWallet {
  /** Every prompt, in order. */
  readonly prompts: () => ReadonlyArray<Prompt>
  /** The typed data that the user was shown, in order. */
  readonly typedData: () => ReadonlyArray<PromptedData>
  /** Sets how the user responds to each of the next prompts. After that, the last behavior that was set applies. */
  readonly answer: (...next: ReadonlyArray<Behavior>) => void
  /** The active network. */
  readonly activeChain: () => number
}

/** The wallet's networks. */
export interface InjectedOptions {
  /** The networks that the wallet knows. */
  readonly chains?: ReadonlyArray<number>
  /** The active network (default: Ethereum, as in a new wallet). */
  readonly activeChain?: number
  /** The node that answers reads (default: none). */
  readonly rpcUrl?: string
}

interface Call {
  readonly method: string
  readonly params?: ReadonlyArray<unknown>
}

/** A response: a result, an error, or what changed for the page's listeners. */
type Response =
  | { readonly result: unknown; readonly emits?: readonly [event: string, value: unknown] }
  | { readonly error: { readonly code: number; readonly message: string } }

interface InPage {
  readonly name: string
  readonly binding: string
}

/** The injected script. It is serialized, so it cannot use anything outside of it. */
const inPage = ({ binding, name }: InPage): void => {
  const listeners = new Map<string, Set<(value: unknown) => void>>()
  const emit = (event: string, value: unknown) => {
    for (const listener of listeners.get(event) ?? []) listener(value)
  }
  const request = async (call: Call): Promise<unknown> => {
    const ask = Reflect.get(window, binding) as (call: Call) => Promise<Response>
    const response = await ask(call)
    if ("error" in response) throw Object.assign(new Error(response.error.message), { code: response.error.code })
    if (response.emits) emit(...response.emits)
    return response.result
  }
  addEventListener(`${binding}:accounts`, (event) =>
    emit("accountsChanged", (event as CustomEvent<ReadonlyArray<string>>).detail)
  )
  const provider = {
    isMetaMask: true,
    request,
    on: (event: string, listener: (value: unknown) => void) =>
      void listeners.set(event, (listeners.get(event) ?? new Set()).add(listener)),
    removeListener: (event: string, listener: (value: unknown) => void) => void listeners.get(event)?.delete(listener)
  }
  Object.defineProperty(window, "ethereum", { value: provider })
  const icon = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg"/>')}`
  const info = { uuid: "350670db-19fa-4704-a166-e52e178b59d2", name, icon, rdns: `example.${binding}` }
  const announce = () =>
    window.dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: Object.freeze({ info, provider }) }))
  addEventListener("eip6963:requestProvider", announce)
  announce()
}

const fail = (code: number, message: string): Response => ({ error: { code, message } })
const rejected = () => fail(4001, "MetaMask Tx Signature: User denied message signature.")
const isText = (value: unknown): value is string => typeof value === "string"

/** Parses typed data and applies MetaMask's rules. Returns an error that MetaMask returns without a prompt. */
const parseTypedData = (
  text: unknown,
  accounts: ReadonlyArray<PrivateKeyAccount>,
  activeChain: number
): PromptedData | Response => {
  const data = (isText(text) ? JSON.parse(text) : undefined) as PromptedData | undefined
  if (data?.types["EIP712Domain"] === undefined) return fail(-32602, "Expected EIP-712 typed data.")
  const { chainId, verifyingContract } = data.domain
  if (chainId !== undefined && Number(chainId) !== activeChain) {
    return fail(-32602, `Provided chainId "${Number(chainId)}" must match the active chainId "${activeChain}"`)
  }
  return accounts.some(({ address }) => address.toLowerCase() === String(verifyingContract).toLowerCase())
    ? fail(-32602, "External signature requests cannot use internal accounts as the verifying contract.")
    : data
}

/** Installs a wallet with these keys in a browser. It shares its first account. */
export const injectedWallet = async (
  context: BrowserContext,
  name: string,
  privateKeys: ReadonlyArray<string>,
  { activeChain = 1, chains = [], rpcUrl }: InjectedOptions = {}
): Promise<InjectedWallet> => {
  const binding = "injectedWallet"
  const accounts = privateKeys.map((key) => privateKeyToAccount(key as Hex))
  const prompts: Array<Prompt> = []
  const answers: Array<Behavior> = []
  let behavior: Behavior = "signs"
  let active = activeChain
  let connected = false
  let shared = accounts.slice(0, 1).map(({ address }) => address.toLowerCase())

  /** Shows a prompt. Returns whether the user agrees. If the user never responds, the promise stays pending. */
  const asks = async (prompt: Prompt): Promise<boolean> => {
    prompts.push(prompt)
    const response = prompt.kind === "connect" ? "signs" : (answers.shift() ?? behavior)
    return response === "hangs" ? new Promise(() => undefined) : response === "signs"
  }

  const accountOf = (address: unknown): PrivateKeyAccount | undefined =>
    isText(address) && connected && shared.includes(address.toLowerCase())
      ? accounts.find((one) => one.address.toLowerCase() === address.toLowerCase())
      : undefined

  const unauthorized = () => fail(4100, "The requested account and/or method has not been authorized by the user.")

  const respond = async ({ method, params = [] }: Call): Promise<Response> => {
    switch (method) {
      case "eth_accounts":
        return { result: connected ? shared : [] }
      case "eth_requestAccounts":
        if (!connected) await asks({ kind: "connect" })
        connected = true
        return { result: shared }
      case "eth_chainId":
        return { result: `0x${active.toString(16)}` }
      case "wallet_switchEthereumChain": {
        const chainId = Number((params[0] as { readonly chainId?: unknown } | undefined)?.chainId)
        if (![1, ...chains].includes(chainId)) {
          return fail(
            4902,
            `Unrecognized chain ID "${chainId}". Try adding the chain using wallet_addEthereumChain first.`
          )
        }
        if (chainId === active) return { result: null }
        if (!(await asks({ kind: "switch", chainId }))) return fail(4001, "User rejected the request.")
        active = chainId
        return { result: null, emits: ["chainChanged", `0x${active.toString(16)}`] }
      }
      case "personal_sign": {
        const [message, address] = params
        const account = accountOf(address)
        if (account === undefined) return unauthorized()
        if (!(await asks({ kind: "message", message: String(message) }))) return rejected()
        return { result: await account.signMessage({ message: { raw: message as Hex } }) }
      }
      case "eth_signTypedData_v4": {
        const [address, text] = params
        const account = accountOf(address)
        if (account === undefined) return unauthorized()
        const data = parseTypedData(text, accounts, active)
        if (!("primaryType" in data)) return data
        if (!(await asks({ kind: "typedData", data }))) return rejected()
        return { result: await account.signTypedData(data as unknown as TypedDataDefinition) }
      }
      case "eth_call": {
        if (rpcUrl === undefined) return fail(-32601, "There is no node.")
        const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
        const answer = await fetch(rpcUrl, { method: "POST", headers: { "content-type": "application/json" }, body })
        return (await answer.json()) as Response
      }
      // Delegations (EIP-7702), raw hashes and everything else.
      default:
        return fail(-32601, `The method "${method}" does not exist / is not available.`)
    }
  }

  const exposed = await context.exposeFunction(binding, respond)
  const injected = await context.addInitScript(inPage, { name, binding })
  const typedData = () => prompts.flatMap((prompt) => (prompt.kind === "typedData" ? [prompt.data] : []))
  return {
    name,
    set: (next) => {
      behavior = next
    },
    answer: (...next) => void answers.push(...next),
    show: (page: Page, address) => {
      shared = address === undefined ? [] : [address.toLowerCase()]
      return page.evaluate(([event, detail]) => void window.dispatchEvent(new CustomEvent(event, { detail })), [
        `${binding}:accounts`,
        shared
      ] as const)
    },
    promptCount: () => prompts.filter(({ kind }) => kind === "message" || kind === "typedData").length,
    prompts: () => prompts,
    typedData,
    activeChain: () => active,
    [Symbol.asyncDispose]: async () => void (await Promise.all([exposed.dispose(), injected.dispose()]))
  }
}
