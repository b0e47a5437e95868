/** The page as somebody sees it: by roles and names, never by how it is made. */
import type { Locator, Page } from "playwright-core"

/** One end of a swap, in the page's words. */
export interface End {
  readonly chain: string
  readonly token: string
}

/** What to swap. */
export interface Route {
  readonly from: End
  readonly to: End
  readonly amount: string
}

type Step = "quote" | "delegation" | "sign" | "submit" | "origin" | "delivery" | "refund"

/** The page, and what a person does there. */
export interface SwapPage {
  readonly page: Page
  readonly form: Locator
  readonly review: Locator
  readonly progress: Locator
  readonly unfinished: Locator
  readonly history: Locator
  readonly wallets: Locator
  readonly button: (name: string) => Locator
  /** Chooses chains and tokens, and writes the amount. */
  readonly choose: (route: Route) => Promise<void>
  /** Waits for a price and gives the amount that is shown, without spaces. */
  readonly quoted: () => Promise<string>
  /** Opens the review of what was chosen; gives its text. */
  readonly openReview: () => Promise<string>
  readonly confirm: () => Promise<void>
  /** A step of the swap under way, in a state where one is named. */
  readonly step: (step: Step, state?: "waiting" | "running" | "done" | "failed") => Locator
  /** A line of the price by its name. */
  readonly detail: (name: string) => Promise<string>
  /** Connects a wallet by its name. */
  readonly connect: (...names: ReadonlyArray<string>) => Promise<void>
  /** The journal's flows in this browser. */
  readonly journal: () => Promise<ReadonlyArray<string>>
}

/** A page by its parts. */
export const swapPage = (page: Page): SwapPage => {
  const region = (name: string) => page.getByRole("region", { name, exact: true })
  const dialog = (name: string) => page.getByRole("dialog", { name, exact: true })
  const button = (name: string) => page.getByRole("button", { name, exact: true })
  const [form, review, wallets] = [region("Swap"), dialog("Review your swap"), dialog("Wallets")]
  const pick = (label: string, text: string) => form.getByLabel(label, { exact: true }).selectOption({ label: text })
  const output = page.getByTestId("output-amount")
  return {
    page,
    form,
    review,
    wallets,
    progress: region("Progress"),
    unfinished: region("UnfinishedSwaps swaps"),
    history: region("History"),
    button,
    choose: async ({ amount, from, to }) => {
      await pick("From chain", from.chain)
      await pick("From token", from.token)
      await pick("To chain", to.chain)
      await pick("To token", to.token)
      await form.getByLabel("Amount", { exact: true }).fill(amount)
    },
    quoted: async () => {
      await page.locator("button:enabled", { hasText: "Review swap" }).waitFor()
      return (await output.innerText()).replaceAll(/\s/g, "")
    },
    openReview: async () => {
      await button("Review swap").click()
      return review.innerText()
    },
    confirm: () => button("Confirm and sign").click(),
    step: (step, state) => page.locator(`[data-step="${step}"]${state === undefined ? "" : `[data-state="${state}"]`}`),
    detail: async (name) => {
      const term = page.getByRole("term").filter({ hasText: name })
      return term.locator("xpath=following-sibling::dd").innerText()
    },
    connect: async (...names) => {
      await button("Wallets").click()
      for (const name of names) {
        await wallets.getByRole("button", { name: `Connect ${name}`, exact: true }).click()
        await wallets.locator("[aria-pressed=true]", { hasText: name }).waitFor()
      }
      await wallets.getByRole("button", { name: "Close" }).click()
    },
    journal: () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("geoswap.flow")))
  }
}
