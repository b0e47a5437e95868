/** Scripted browser wallets: the keys are in Node, and the test decides how the user responds. */
import type { BrowserContext, Page } from "playwright-core"

/** How the user responds to a prompt. */
export type Behavior = "signs" | "refuses" | "hangs"

/** A wallet in a browser context, until it is disposed. */
export interface ScriptedWallet extends AsyncDisposable {
  readonly name: string
  /** Sets the response to the next prompts. */
  readonly set: (behavior: Behavior) => void
  /** Shares another account with the page, or none. */
  readonly show: (page: Page, address: string | undefined) => Promise<void>
  /** How often it was asked to sign. */
  readonly promptCount: () => number
}

/** How a wallet signs: a string in, a string out. */
export interface Signing {
  readonly name: string
  /** The name of the function that the injected script calls in Node. */
  readonly binding: string
  readonly addresses: ReadonlyArray<string>
  readonly sign: (address: string, payload: string) => Promise<string>
}

/** The input of the injected script. */
export interface InjectedScriptInput {
  readonly name: string
  readonly binding: string
  readonly addresses: ReadonlyArray<string>
}

/** Installs a wallet in every page of a context. */
export const install = async (
  context: BrowserContext,
  { addresses, binding, name, sign }: Signing,
  script: (input: InjectedScriptInput) => void
): Promise<ScriptedWallet> => {
  let behavior: Behavior = "signs"
  let promptCount = 0
  const exposed = await context.exposeFunction(
    binding,
    async (address: string, payload: string): Promise<string | null> => {
      promptCount += 1
      // The user never responds: the promise stays pending until the page closes.
      if (behavior === "hangs") return new Promise(() => undefined)
      return behavior === "refuses" ? null : sign(address, payload)
    }
  )
  const injected = await context.addInitScript(script, { name, binding, addresses })
  return {
    name,
    set: (next) => {
      behavior = next
    },
    show: (page, address) =>
      page.evaluate(
        ([event, detail]) => void window.dispatchEvent(new CustomEvent(event ?? "", { detail })),
        [`${binding}:accounts`, address]
      ),
    promptCount: () => promptCount,
    [Symbol.asyncDispose]: async () => void (await Promise.all([exposed.dispose(), injected.dispose()]))
  }
}
