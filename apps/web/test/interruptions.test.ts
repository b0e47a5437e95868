import { formatAmount } from "@geoswap/core/promise"
import type { Route } from "playwright-core"
import { expect } from "vitest"
import { describeInBrowser, test } from "./browser/fixture.js"
import { asAlice, broken, expectOne, finished, route, stateOf, swapHeld } from "./interruptions/heldSwap.js"
import { balanceOn, chainA, chainB, digits, on, plain } from "./stack/balances.js"
import { refusePayments } from "./stack/chains.js"
import { openCuttableProxy } from "./stack/cuttableProxy.js"

const offline = /ERR_INTERNET_DISCONNECTED/

/** A finished swap between two chains that took a millisecond. */
const quickSwap = (from: number, to: number) => ({
  id: "quick",
  status: "settled",
  wallet: "0x00000000000000000000000000000000000a11ce",
  trip: {
    from: { chainId: from, chain: chainA, symbol: "USDC", amount: "1" },
    to: { chainId: to, chain: chainB, symbol: "WETH", amount: "1" },
    recipient: "0x00000000000000000000000000000000000a11ce"
  },
  beganAt: 1_700_000_000_000,
  endedAt: 1_700_000_000_001
})

describeInBrowser("a running swap", () => {
  test("resumes automatically after a reload, as one swap, and announces its end while the page is hidden", async ({
    stack,
    visit
  }) => {
    const before = await stateOf(stack)
    const [from, to] = [stack.devnet.evmA.id, stack.devnet.evmB.id]
    const visitor = await visit({
      ...asAlice,
      // An earlier swap took a millisecond, so this one is slow.
      stored: { "geoswap.history": JSON.stringify([quickSwap(from, to)]) },
      before: ({ page }) =>
        page.addInitScript(() => {
          const shown: Array<string> = []
          Object.assign(window, { shown })
          class Shown extends EventTarget {
            static readonly permission = "granted"
            constructor(title: string, { body }: { readonly body: string }) {
              super()
              shown.push(`${title}: ${body}`)
            }
          }
          Object.assign(window, { Notification: Shown })
        })
    })
    const { button, activity, openFlows, page, progress, step, unfinished } = visitor
    await swapHeld(stack, visitor)
    await progress.getByText("Slower than usual. Your payment is safe: it will be delivered or refunded.").waitFor()
    expect(await openFlows()).toHaveLength(1)
    await page.reload()
    await unfinished.getByText("Swap in progress: 100 USDC on devnet-a → WETH on devnet-b").waitFor()
    await step("payment", "running").waitFor()
    expect(await page.getByRole("region", { name: "Swap", exact: true }).isVisible()).toBe(true)
    await page.evaluate(() => Object.defineProperty(document, "hidden", { value: true, configurable: true }))
    await stack.devnet.evmA.release()
    await finished(unfinished).waitFor()
    const announced = /^Delivered, according to the service: 100\sUSDC on devnet-a → WETH on devnet-b$/
    await expect.poll(() => page.title()).toMatch(announced)
    expect(await page.evaluate(() => (window as unknown as { shown: ReadonlyArray<string> }).shown)).toEqual([
      expect.stringMatching(announced)
    ])
    await page.evaluate(() => {
      Object.defineProperty(document, "hidden", { value: false, configurable: true })
      document.dispatchEvent(new Event("visibilitychange"))
    })
    expect(await page.title()).toBe("GeoSwap: swap between chains")
    // One line, with all steps on demand.
    expect(await step("delivery", "done").isVisible()).toBe(false)
    await finished(unfinished).click()
    await step("delivery", "done").waitFor()
    expect(await activity.getByRole("listitem").innerText()).toContain("Delivered")
    expect(await openFlows()).toEqual([])
    await button("Dismiss").click()
    expect(await unfinished.count()).toBe(0)
    await expectOne(stack, before)
  })

  test("is submitted again after a reload with the same signature if the response was lost", async ({
    stack,
    visit
  }) => {
    const before = await stateOf(stack)
    const visitor = await visit({ ...asAlice, expected: [broken] })
    const { confirm, openReview, page, quoted, unfinished, monitor } = visitor
    await quoted()
    await openReview()
    // The service accepts the swap, but the response is lost.
    const taken = new Promise<void>((resolve) => {
      void page.route("**/swap/submit", async (intercepted) => {
        await intercepted.fetch()
        await intercepted.abort()
        resolve()
      })
    })
    await confirm()
    await taken
    await page.unroute("**/swap/submit")
    await page.reload()
    await finished(unfinished).waitFor()
    const bodies = monitor.sent.filter(({ path }) => path === "/web/api/swap/submit").map(({ body }) => body)
    expect(bodies.length).toBeGreaterThan(1)
    expect(new Set(bodies).size).toBe(1)
    await expectOne(stack, before)
  })

  test("says that it reconnects while the service is down, and ends within a second of being back", async ({
    stack,
    visit
  }) => {
    const before = await stateOf(stack)
    await using proxy = await openCuttableProxy(stack.url)
    const visitor = await visit({ ...asAlice, via: proxy.url, clock: true, expected: [broken] })
    const { openFlows, page, progress, step } = visitor
    await swapHeld(stack, visitor)
    await progress.getByText("Waiting for the payment to confirm").waitFor()
    proxy.cut()
    // Not the browser's network: it does not know that the service is down.
    const reconnecting = progress.getByText("The service cannot be reached. Reconnecting.")
    await reconnecting.waitFor()
    expect(await progress.getByText("Waiting for the payment").count()).toBe(0)
    // From here on, only the test advances the page's clock. Many attempts fail.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000))
    for (let second = 0; second < 40; second += 1) await page.clock.runFor(1_000)
    await stack.devnet.evmA.release()
    await expect.poll(async () => (await stack.swaps()).at(-1)?.state).toBe("settled")
    proxy.restore()
    await page.clock.runFor(900)
    // The response arrives in real time, and the page handles it in a few timers of zero milliseconds.
    const ends = async () => {
      await page.clock.runFor(1)
      return step("delivery", "done").count()
    }
    await expect.poll(ends, { timeout: 4_000 }).toBe(1)
    expect(await reconnecting.count()).toBe(0)
    await page.clock.resume()
    await expect.poll(openFlows).toEqual([])
    await expectOne(stack, before)
  })

  test("whose outcome is unknown resumes when the network is back", async ({ stack, visit }) => {
    const before = await stateOf(stack)
    await using proxy = await openCuttableProxy(stack.url)
    const visitor = await visit({ ...asAlice, via: proxy.url, clock: true, expected: [broken] })
    const { confirm, openFlows, openReview, page, progress, quoted, step } = visitor
    await quoted()
    await openReview()
    // The service accepts the swap, then the network is down for long.
    const lost = new Promise<void>((resolve) => {
      const loseResponse = async (intercepted: Route) => {
        await intercepted.fetch()
        proxy.cut()
        await page.context().setOffline(true)
        await intercepted.abort()
        resolve()
      }
      void page.route("**/swap/submit", loseResponse, { times: 1 })
    })
    await confirm()
    await lost
    // Let all attempts fail.
    const message = progress.getByText("It is not yet known whether the swap was accepted. Do not swap again.")
    const messageCount = async () => {
      await page.clock.fastForward(10_000)
      return message.count()
    }
    await expect.poll(messageCount).toBe(1)
    expect(await openFlows()).toHaveLength(1)
    proxy.restore()
    await page.context().setOffline(false)
    await step("delivery", "done").waitFor()
    // The flow is removed a moment after the page shows the last step.
    await expect.poll(openFlows).toEqual([])
    await expectOne(stack, before)
  })

  test("says how much is refunded if the recipient is at fault", async ({ stack, visit }) => {
    const { evmA, evmB } = stack.devnet
    const recipient = "0x00000000000000000000000000000000000bad01"
    const before = await balanceOn(stack, route.from, "alice")
    const visitor = await visit({ wallets: ["alice"] })
    const { activity, button, choose, confirm, form, openReview, progress, quoted, step } = visitor
    await choose({ ...route, to: on(chainB, "ETH"), amount: "200" })
    await button("Send to a different address").click()
    await form.getByLabel("Recipient").fill(recipient)
    await quoted()
    await openReview()
    await evmA.hold()
    await confirm()
    await step("payment", "running").waitFor()
    await refusePayments(evmB, recipient)
    await evmA.release()
    await step("refund", "done").waitFor()
    const kept = before.units - (await balanceOn(stack, route.from, "alice")).units
    expect(kept).toBeGreaterThan(0n)
    const refunded = `${digits({ ...before, units: 200_000_000n - kept }, 6)} USDC refunded`
    const message = plain(await progress.getByRole("alert").innerText())
    expect(message).toContain(`Delivery failed: ${refunded}`)
    expect(message).toContain("The network cost was deducted")
    expect(plain(await step("refund").innerText())).toContain(refunded)
    await activity.locator("summary").first().click()
    const exact = formatAmount(200_000_000n - kept, before.decimals)
    expect(plain(await activity.innerText())).toContain(`${exact} USDC`)
  })

  test("leaves an empty form for the next one, and can be forgotten, with a warning that it continues", async ({
    stack,
    visit
  }) => {
    const before = await stateOf(stack)
    const visitor = await visit(asAlice)
    const { button, form, openFlows, main, monitor, page, unfinished } = visitor
    await swapHeld(stack, visitor)
    expect(await visitor.progress.getByRole("heading").first().innerText()).toMatch(
      /^100\sUSDC on devnet-a → WETH on devnet-b$/
    )
    const quotes = monitor.count("/web/api/swap/quote")
    await button("Start another swap").click()
    await unfinished.getByText("Swap in progress").waitFor()
    expect(await form.getByLabel("Amount", { exact: true }).inputValue()).toBe("")
    await form.getByRole("button", { name: "Enter an amount" }).waitFor()
    expect(await page.getByTestId("output-amount").innerText()).toBe("0")
    expect(await main.isDisabled()).toBe(true)
    expect(monitor.count("/web/api/swap/quote")).toBe(quotes)
    await page.reload()
    await unfinished.getByRole("button", { name: "Forget this swap" }).click()
    const dialog = page.getByRole("dialog", { name: "Forget this swap?" })
    expect(await dialog.innerText()).toContain("This does not stop the swap")
    await button("Forget it").click()
    await unfinished.waitFor({ state: "detached" })
    expect(await openFlows()).toEqual([])
    await stack.devnet.evmA.release()
    await expect.poll(async () => (await stack.swaps()).at(-1)?.state).toBe("settled")
    await expectOne(stack, before)
  })
})

describeInBrowser("a form in an offline browser", () => {
  test("shows a banner and that the service is unreachable, and gets its price when it is back online", async ({
    visit
  }) => {
    const { form, page, quoted, monitor } = await visit({ ...asAlice, expected: [offline] })
    await quoted()
    await page.getByText("Service and chains available").waitFor()
    await page.context().setOffline(true)
    const banner = page.getByText("You are offline. This page resumes when you are back online.")
    await banner.waitFor()
    const before = monitor.count("/web/api/swap/quote")
    await form.getByLabel("Amount", { exact: true }).fill("150")
    await expect.poll(() => monitor.count("/web/api/swap/quote")).toBeGreaterThan(before)
    await page.getByRole("contentinfo").getByText("You are offline").waitFor()
    await page.context().setOffline(false)
    await banner.waitFor({ state: "hidden" })
    expect(Number(await quoted())).toBeGreaterThan(0.03)
    await page.getByText("Service and chains available").waitFor()
    expect(await page.getByRole("link", { name: "API documentation" }).getAttribute("href")).toBe("/docs")
  })
})
