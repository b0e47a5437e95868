/** Wallets of a browser as tests script them: the keys are in Node, and the test says what the person behind does. */
import type { BrowserContext, Page } from "playwright-core"

/** What the person behind a wallet does when it asks. */
type Behavior = "signs" | "refuses" | "hangs"

/** A wallet in a browser context. */
export interface ScriptedWallet {
  readonly name: string
  /** What becomes of the next questions. */
  readonly set: (behavior: Behavior) => void
  /** Shows another account to the page, or none. */
  readonly show: (page: Page, address: string | undefined) => Promise<void>
  /** How often it was asked to sign. */
  readonly asked: () => number
}

/** How a wallet signs: a text in, a text out. */
export interface Signing {
  readonly name: string
  /** The name under which the page's half finds the one in Node. */
  readonly binding: string
  readonly addresses: ReadonlyArray<string>
  readonly sign: (address: string, payload: string) => Promise<string>
}

/** What the half of a wallet in the page is told. */
export interface InjectedScriptInput {
  readonly name: string
  readonly binding: string
  readonly addresses: ReadonlyArray<string>
}

/** Puts a wallet into every page of a context. */
export const install = async (
  context: BrowserContext,
  { addresses, binding, name, sign }: Signing,
  half: (told: InjectedScriptInput) => void
): Promise<ScriptedWallet> => {
  let behavior: Behavior = "signs"
  let asked = 0
  await context.exposeFunction(binding, async (address: string, payload: string): Promise<string | null> => {
    asked += 1
    // Where the person never answers, the page is closed some day.
    if (behavior === "hangs") return new Promise(() => undefined)
    return behavior === "refuses" ? null : sign(address, payload)
  })
  await context.addInitScript(half, { name, binding, addresses })
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
    asked: () => asked
  }
}
