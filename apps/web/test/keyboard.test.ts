import { expect } from "vitest"
import { hasFocus, isLost, tabTo } from "./browser/keyboard.js"
import { describeInBrowser, test } from "./browser/fixture.js"

describeInBrowser("somebody without a mouse", () => {
  test("connects a wallet, swaps, and is never lost on the page", async ({ stack, visit }) => {
    const { button, form, history, page, progress, review, step, wallets } = await visit()
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

    // Letters choose in a list.
    const choices = [
      ["From chain", "devnet-a"],
      ["From token", "USDC"],
      ["Amount", "100"],
      ["To chain", "devnet-b"],
      ["To token", "WETH"]
    ] as const
    for (const [label, text] of choices) {
      await tabTo(form.getByLabel(label, { exact: true }))
      await keyboard.type(text)
    }
    await page.locator("button:enabled", { hasText: "Review swap" }).waitFor()
    await tabTo(button("Review swap"))
    await keyboard.press("Enter")
    // Inside of the dialog, and back where it was opened.
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
    expect(await isLost(page)).toBe(false)

    await tabTo(history.locator("summary"))
    await keyboard.press("Enter")
    await history.getByText("Paid on devnet-a").waitFor()
    expect((await stack.swaps()).at(-1)).toMatchObject({ state: "settled", amount: 100_000_000n })
  })

  test("opens a dialog again that the browser has not reported as closed yet", async ({ visit }) => {
    const { button, page, wallets } = await visit()
    await button("Wallets").click()
    await wallets.waitFor()
    // Input comes before the browser's own events: the second click is there before the `close` of the first dialog.
    const isOpen = await page.evaluate(async () => {
      const dialog = document.querySelector("dialog[open]")
      const opener = [...document.querySelectorAll("button")].find(({ textContent }) =>
        textContent?.includes("Wallets")
      )
      if (!(dialog instanceof HTMLDialogElement) || opener === undefined) throw new Error("The page is another one.")
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

  test("is not taken out of a dialog by Tab", async ({ visit }) => {
    const { button, page, wallets } = await visit()
    await button("Wallets").click()
    await wallets.waitFor()
    const isInside = () => wallets.evaluate((dialog) => dialog.contains(document.activeElement))
    const places: Array<"inside" | "the browser's own" | "outside"> = []
    for (let step = 0; step < 40; step += 1) {
      await page.keyboard.press("Tab")
      places.push((await isInside()) ? "inside" : (await isLost(page)) ? "the browser's own" : "outside")
    }
    expect(places).not.toContain("outside")
    expect(places.filter((place) => place === "inside").length).toBeGreaterThan(20)
  })
})
