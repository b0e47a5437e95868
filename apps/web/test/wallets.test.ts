import { expect } from "vitest"
import { injectedWallet } from "../../../tooling/testing/browser/injectedWallet.js"
import { inspect } from "../../../tooling/testing/browser/inspect.js"
import type { ScriptedWallet } from "../../../tooling/testing/browser/scriptedWallet.js"
import { standardWallet } from "../../../tooling/testing/browser/standardWallet.js"
import { describeInBrowser, test } from "./browser/fixture.js"
import { chainA, chainB, chainS, on, walletOf } from "./stack/balances.js"
import { accountOf, delegate } from "./stack/chains.js"

const fromEvm = { from: on(chainA, "USDC"), to: on(chainB, "WETH"), amount: "100" }
const fromSolana = { from: on(chainS, "USDC"), to: on(chainB, "WETH"), amount: "100" }
const nothingSigned = "Cancelled. Nothing was signed."

describeInBrowser("a browser wallet", () => {
  test("with a delegation pays with one signature, and declining signs nothing", async ({ stack, visit }) => {
    const [dave, { evmA }] = [walletOf(stack, "dave"), stack.devnet]
    await delegate(evmA, dave.address, evmA.contracts.account)
    const wallet: { current?: ScriptedWallet } = {}
    const { button, confirm, connect, openReview, progress, step, monitor } = await visit({
      route: fromEvm,
      before: async ({ page }) => {
        return (wallet.current = await injectedWallet(page.context(), "Foxglove", [dave.privateKey], {
          activeChain: evmA.id
        }))
      }
    })
    await connect("Foxglove")
    expect(await openReview()).toContain("You sign once")
    wallet.current?.set("refuses")
    await confirm()
    await progress.getByText(nothingSigned).waitFor()
    expect(await step("sign", "failed").innerText()).toContain("Not signed")
    expect(monitor.count("/web/api/swap/submit")).toBe(0)

    wallet.current?.set("signs")
    await button("Try again").click()
    await openReview()
    await confirm()
    await step("delivery", "done").waitFor()
    expect(wallet.current?.promptCount()).toBe(2)
    expect(await step("delegation").count()).toBe(0)
  })

  test("that switches accounts closes the review with a reason, and disconnects without accounts", async ({
    stack,
    visit
  }) => {
    const [carol, dave, { evmA }] = [walletOf(stack, "carol"), walletOf(stack, "dave"), stack.devnet]
    for (const { address } of [carol, dave]) await delegate(evmA, address, evmA.contracts.account)
    const wallet: { current?: ScriptedWallet } = {}
    const { button, connect, form, monitor, openReview, page, review } = await visit({
      route: fromEvm,
      before: async ({ page }) => {
        return (wallet.current = await injectedWallet(page.context(), "Foxglove", [dave.privateKey, carol.privateKey]))
      }
    })
    const shows = ({ address }: { readonly address: string }) =>
      form
        .getByText(`Foxglove ${address.slice(0, 6)}…${address.slice(-4)}`)
        .first()
        .waitFor()
    await connect("Foxglove")
    await shows(dave)
    // It reconnects without a prompt.
    await page.reload()
    await shows(dave)
    expect(await openReview()).toContain(dave.address)
    await wallet.current?.show(page, carol.address)
    await review.waitFor({ state: "hidden" })
    const message = form.getByText("The wallet changed, so the review was closed. Review the swap again.")
    await message.waitFor()
    expect(await form.getByRole("heading", { name: "Swap" }).evaluate((it) => it === document.activeElement)).toBe(true)
    await shows(carol)
    expect(await openReview()).toContain(carol.address)
    expect(await message.count()).toBe(0)
    await button("Back").click()
    await wallet.current?.show(page, undefined)
    await form.getByRole("button", { name: "Connect EVM wallet" }).waitFor()
    expect(wallet.current?.promptCount()).toBe(0)
    expect(monitor.count("/web/api/swap/build-geo-op")).toBe(0)
  })

  test("that is missing can be installed: the dialog links to wallets of each family", async ({ visit }) => {
    const { button, page, wallets } = await visit({
      // A page of an operator: no test wallets.
      before: ({ page }) =>
        page.route("**/web/config.json", async (intercepted) => {
          const response = await intercepted.fetch()
          const { devnet: _, ...config } = (await response.json()) as { readonly devnet: unknown }
          await intercepted.fulfill({ response, json: config })
        })
    })
    await button("Wallets").click()
    expect(await wallets.getByText("No wallets found in this browser.").count()).toBe(2)
    const links = wallets.getByRole("link")
    expect(await links.allInnerTexts()).toEqual(expect.arrayContaining(["MetaMask", "Phantom"]))
    for (const link of await links.all()) {
      expect(await link.getAttribute("href")).toMatch(/^https:/)
      expect(await link.getAttribute("rel")).toBe("noreferrer")
    }
    await page.keyboard.press("Escape")
  })

  test("for Solana pays, and declining signs nothing", async ({ stack, visit }) => {
    const grace = walletOf(stack, "grace")
    const wallet: { current?: ScriptedWallet } = {}
    const { button, confirm, connect, openReview, progress, step, monitor } = await visit({
      route: fromSolana,
      before: async ({ page }) => {
        return (wallet.current = await standardWallet(page.context(), "Gentian", [grace.privateKey]))
      }
    })
    await connect("Gentian")
    expect(await openReview()).toContain("A transaction.")
    wallet.current?.set("refuses")
    await confirm()
    await progress.getByText(nothingSigned).waitFor()
    expect(monitor.count("/web/api/swap/submit")).toBe(0)

    wallet.current?.set("signs")
    await button("Try again").click()
    await openReview()
    await confirm()
    await step("delivery", "done").waitFor()
    expect(wallet.current?.promptCount()).toBe(2)
  })

  test("shows its delegations, and a test wallet removes one", async ({ stack, visit }) => {
    const [bob, { evmA }] = [walletOf(stack, "bob"), stack.devnet]
    await delegate(evmA, bob.address, evmA.contracts.account)
    const { button, page, wallets } = await visit({ wallets: ["bob"] })
    await button("Wallets").click()
    await wallets.getByText("Delegations", { exact: true }).click()
    const row = wallets.getByRole("listitem").filter({ hasText: "Delegated to this service" }).first()
    await row.waitFor()
    expect(await row.innerText()).toContain("devnet-a")
    expect(await inspect(page, "delegations")).toEqual([])
    await button("Remove the delegation on devnet-a").click()
    await expect.poll(async () => (await accountOf(evmA, bob.address)).code ?? "0x").toBe("0x")
    await button("Remove the delegation on devnet-a").waitFor({ state: "detached" })
  })
})
