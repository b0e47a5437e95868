import { expect } from "vitest"
import { hasFocus, isFocusLost, tabTo } from "./browser/keyboard.js"
import { describeInBrowser, test } from "./browser/fixture.js"

describeInBrowser("keyboard navigation", () => {
  test("connects a wallet and swaps without losing the focus", async ({ stack, visit }) => {
    const { button, form, activity, page, progress, review, step, wallets } = await visit()
    const { keyboard } = page
    await form.waitFor()

    await tabTo(button("Wallets"))
    await keyboard.press("Enter")
    await tabTo(wallets.getByRole("button", { name: "Connect dave" }))
    await keyboard.press("Enter")
    await wallets.locator("[aria-pressed=true]", { hasText: "dave" }).waitFor()
    await keyboard.press("Escape")
    await wallets.waitFor({ state: "hidden" })
    expect(await hasFocus(button("Wallets"))).toBe(true)

    await tabTo(form.getByLabel("Amount", { exact: true }))
    await keyboard.type("100")
    for (const [title, query, picked] of [
      ["Pay with", "usd coin devnet-a", "USDC on devnet-a"],
      ["Receive", "wrapped eth devnet-b", "WETH on devnet-b"]
    ] as const) {
      const opener = form.getByRole("button", { name: new RegExp(`^${title} `) })
      await tabTo(opener)
      await keyboard.press("Enter")
      const picker = page.getByRole("dialog", { name: title })
      const search = picker.getByRole("combobox")
      await expect.poll(() => hasFocus(search)).toBe(true)
      // The arrow keys move through the list and around its ends.
      const active = () => search.getAttribute("aria-activedescendant")
      const first = await active()
      await keyboard.press("ArrowDown")
      expect(await active()).not.toBe(first)
      await keyboard.press("ArrowUp")
      await keyboard.press("ArrowUp")
      await keyboard.press("ArrowDown")
      expect(await active()).toBe(first)
      await keyboard.type(query)
      expect(await picker.getByRole("option").first().innerText()).toContain(picked.split(" ")[0])
      await keyboard.press("Enter")
      await picker.waitFor({ state: "hidden" })
      expect(await opener.getAttribute("title")).toBe(`${title} ${picked}`)
      expect(await hasFocus(opener)).toBe(true)
    }
    await page.locator("button:enabled", { hasText: "Review swap" }).waitFor()
    await tabTo(button("Review swap"))
    await keyboard.press("Enter")
    // The focus moves into the dialog and back to the button that opened it.
    expect(await hasFocus(review.getByRole("heading", { name: "Review your swap" }))).toBe(true)
    await keyboard.press("Escape")
    await review.waitFor({ state: "hidden" })
    expect(await hasFocus(button("Review swap"))).toBe(true)
    await keyboard.press("Enter")
    await tabTo(button("Confirm and sign"))
    await keyboard.press("Enter")

    await expect.poll(() => hasFocus(progress.getByRole("heading"))).toBe(true)
    await step("delivery", "done").waitFor()
    await tabTo(button("New swap"))
    await keyboard.press("Enter")
    await form.waitFor()
    // The page moves the focus a moment after it shows the form.
    await expect.poll(() => isFocusLost(page)).toBe(false)

    await tabTo(activity.locator("summary"))
    await keyboard.press("Enter")
    await activity.getByText("Payment on devnet-a").waitFor()
    expect((await stack.swaps()).at(-1)).toMatchObject({ state: "settled", amount: 100_000_000n })
  })

  test("keeps the focus inside a dialog on Tab, and reopens one whose close event has not fired yet", async ({
    visit
  }) => {
    const { button, page, wallets } = await visit()
    await button("Wallets").click()
    await wallets.waitFor()
    // What has the focus after each Tab.
    const places = await wallets.evaluateHandle((dialog) => {
      const places: Array<"inside" | "browser UI" | "outside"> = []
      addEventListener("keyup", () => {
        const { activeElement, body } = document
        places.push(dialog.contains(activeElement) ? "inside" : activeElement === body ? "browser UI" : "outside")
      })
      return places
    })
    for (let step = 0; step < 40; step += 1) await page.keyboard.press("Tab")
    const seen = await places.jsonValue()
    expect(seen).toHaveLength(40)
    expect(seen).not.toContain("outside")
    expect(seen.filter((place) => place === "inside").length).toBeGreaterThan(20)
    // Input precedes browser events: the second click comes before the `close` event of the first dialog.
    const isOpen = await page.evaluate(async () => {
      const dialog = document.querySelector("dialog[open]")
      const opener = [...document.querySelectorAll("button")].find(({ textContent }) =>
        textContent?.includes("Wallets")
      )
      if (!(dialog instanceof HTMLDialogElement) || opener === undefined)
        throw new Error("expected an open dialog and its button")
      const closed = new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }))
      dialog.dispatchEvent(new Event("cancel", { cancelable: true }))
      for (let turn = 0; dialog.open && turn < 10; turn += 1) await Promise.resolve()
      opener.click()
      await closed
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
      return dialog.open
    })
    expect(isOpen).toBe(true)
  })
})
