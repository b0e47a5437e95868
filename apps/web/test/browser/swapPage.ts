/** The page as a user sees it: located by roles and names, not by markup. */
import type { Locator, Page } from "playwright-core"

/** One side of a swap, by the names on the page. */
export interface Leg {
  readonly chain: string
  readonly token: string
}

/** What to swap. */
export interface Route {
  readonly from: Leg
  readonly to: Leg
  readonly amount: string
}

type Step = "quote" | "delegation" | "sign" | "submit" | "payment" | "delivery" | "refund"

/** The page and the actions of a user. */
export interface SwapPage {
  readonly page: Page
  readonly form: Locator
  readonly review: Locator
  readonly progress: Locator
  readonly unfinished: Locator
  readonly activity: Locator
  readonly wallets: Locator
  readonly button: (name: string) => Locator
  /** The main button of the form. It says what is missing. */
  readonly main: Locator
  /** Selects chains and tokens and enters the amount. */
  readonly choose: (route: Route) => Promise<void>
  /** Waits for a quote and returns the shown output, without separators. */
  readonly quoted: () => Promise<string>
  /** Opens the review and returns its text. */
  readonly openReview: () => Promise<string>
  readonly confirm: () => Promise<void>
  /** A step of the running swap, in the given state if any. */
  readonly step: (step: Step, state?: "waiting" | "running" | "done" | "failed") => Locator
  /** The value of a row of the quote details. */
  readonly detail: (name: string) => Promise<string>
  /** Opens the page with all finished swaps. */
  readonly openActivity: () => Promise<void>
  /** Connects wallets by name. */
  readonly connect: (...names: ReadonlyArray<string>) => Promise<void>
  /** The keys of the stored flows. */
  readonly openFlows: () => Promise<ReadonlyArray<string>>
}

/** Creates the page object. */
export const swapPage = (page: Page): SwapPage => {
  const region = (name: string) => page.getByRole("region", { name, exact: true })
  const dialog = (name: string) => page.getByRole("dialog", { name, exact: true })
  const button = (name: string) => page.getByRole("button", { name, exact: true })
  const [form, review, wallets] = [region("Swap"), dialog("Review your swap"), dialog("Wallets")]
  /** Picks a token by its symbol and chain, with the keyboard. */
  const pick = async (title: "Pay with" | "Receive", { chain, token }: Leg) => {
    const opener = form.getByRole("button", { name: new RegExp(`^${title} `) })
    await opener.click()
    const search = dialog(title).getByRole("combobox")
    await search.fill(`${token} ${chain}`)
    await search.press("Enter")
    await dialog(title).waitFor({ state: "hidden" })
  }
  const output = page.getByTestId("output-amount")
  return {
    page,
    form,
    review,
    wallets,
    progress: region("Swap progress"),
    unfinished: region("Unfinished swaps"),
    activity: region("Activity"),
    button,
    main: form.locator("button[type=submit]"),
    choose: async ({ amount, from, to }) => {
      // The earlier amount of another token may have no price.
      await form.getByLabel("Amount", { exact: true }).fill("")
      await pick("Pay with", from)
      await pick("Receive", to)
      await form.getByLabel("Amount", { exact: true }).fill(amount)
    },
    quoted: async () => {
      await page.locator("button:enabled", { hasText: "Review swap" }).waitFor()
      return (await output.innerText()).replaceAll(/[\s,]/g, "")
    },
    openReview: async () => {
      await button("Review swap").click()
      return (await review.innerText()).replaceAll("\u00a0", " ")
    },
    confirm: () => button("Confirm and sign").click(),
    step: (step, state) => page.locator(`[data-step="${step}"]${state === undefined ? "" : `[data-state="${state}"]`}`),
    detail: async (name) => {
      await form.locator("details.quote").evaluate((details: HTMLDetailsElement) => {
        details.open = true
      })
      const term = page.getByRole("term").filter({ hasText: name })
      return term.locator("xpath=following-sibling::dd").innerText()
    },
    openActivity: async () => {
      await page.getByRole("navigation").getByRole("link", { name: "Activity" }).click()
      await page.getByRole("heading", { level: 1, name: "Activity" }).waitFor()
    },
    connect: async (...names) => {
      await button("Wallets").click()
      for (const name of names) {
        await wallets.getByRole("button", { name: `Connect ${name}`, exact: true }).click()
        await wallets.locator("[aria-pressed=true]", { hasText: name }).waitFor()
      }
      await wallets.getByRole("button", { name: "Close" }).click()
    },
    openFlows: () =>
      page.evaluate(() =>
        Object.entries(localStorage)
          .filter(([key]) => key.startsWith("geoswap.wallet-"))
          .flatMap(([, text]) => (JSON.parse(String(text)) as { flows: ReadonlyArray<{ id: string }> }).flows)
          .map(({ id }) => id)
      )
  }
}
