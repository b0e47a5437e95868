/** Payments without a delegation from a wallet that behaves like MetaMask. */
import { afterEach, expect } from "vitest"
import { describeInBrowser, test } from "./browser/fixture.js"
import { kindsOf, quoteCount, settles, undelegate, usdc, visitWith, weth } from "./payments/foxglove.js"
import { walletOf } from "./stack/balances.js"
import { accountOf, delegate, tokenOf } from "./stack/chains.js"
import type { Stack } from "./stack/stack.js"

const cannotShow = "Foxglove cannot show what you receive."

describeInBrowser("a browser wallet without a delegation", () => {
  afterEach<{ readonly stack: Stack }>(({ stack }) => undelegate(stack))

  test("pays USDC without gas, with one prompt that the review has explained", async ({ stack, visit }) => {
    const { evmA } = stack.devnet
    const dave = walletOf(stack, "dave")
    await delegate(evmA, dave.address, undefined)
    const sentBefore = (await accountOf(evmA, dave.address)).sent
    const visitor = await visitWith(stack, visit, { route: usdc })
    const { confirm, openReview, quoted, step, wallet } = visitor
    await quoted()
    const review = await openReview()
    expect(review).toContain("You sign once")
    expect(review).toContain(
      "A payment authorization (EIP-3009). It pays exactly 100 USDC on devnet-a for at least 0.0"
    )
    expect(review).toContain(`WETH on devnet-b to ${dave.address}`)
    expect(review.toLowerCase()).toContain(
      `only the contract ${evmA.contracts.vault.toLowerCase()} (the one that this page expects)`
    )
    expect(review).toContain("It cannot show the recipient or what you receive")
    expect(review).toContain("If Foxglove is on another network, it first asks to switch to devnet-a.")
    expect(review).not.toMatch(/delegation/i)
    await settles(stack, visitor, usdc, confirm)
    expect(kindsOf(wallet)).toEqual(["connect", "switch", "typedData"])
    expect(wallet.activeChain()).toBe(evmA.id)
    const [data] = wallet.typedData()
    expect(data).toMatchObject({
      primaryType: "ReceiveWithAuthorization",
      domain: { name: "USD Coin", version: "1", chainId: evmA.id },
      message: { value: "100000000", validAfter: "0" }
    })
    expect(String(data?.domain["verifyingContract"]).toLowerCase()).toBe(tokenOf(evmA, "USDC").address.toLowerCase())
    expect(String(data?.message["from"]).toLowerCase()).toBe(dave.address.toLowerCase())
    expect(String(data?.message["to"]).toLowerCase()).toBe(evmA.contracts.vault.toLowerCase())
    expect(await step("sign").innerText()).toContain("A payment authorization (EIP-3009)")
    expect(await step("delegation").count()).toBe(0)
    // The wallet sent no transaction, and has no code.
    expect(await accountOf(evmA, dave.address)).toEqual({ sent: sentBefore, code: undefined })
  })

  test("can reject each prompt, and then pays with a permit and a second signature", async ({ stack, visit }) => {
    const visitor = await visitWith(stack, visit, { route: usdc })
    const { button, choose, confirm, openFlows, monitor, openReview, progress, quoted, wallet } = visitor
    const attempt = async () => {
      await quoted()
      await openReview()
      await confirm()
    }
    const lastTwo = () =>
      wallet
        .typedData()
        .map(({ primaryType }) => primaryType)
        .slice(-2)
    wallet.set("refuses")
    await attempt()
    await progress.getByText("Cancelled. Nothing was signed.").waitFor()
    expect(kindsOf(wallet)).toEqual(["connect", "switch"])
    await button("Try again").click()

    wallet.answer("signs", "refuses")
    await attempt()
    await progress.getByText("Cancelled. Nothing was signed.").waitFor()
    expect(kindsOf(wallet).slice(2)).toEqual(["switch", "typedData"])
    await button("Try again").click()

    // While the wallet asks, the page shows what the wallet cannot show.
    wallet.answer("hangs")
    await attempt()
    await progress.getByText("Confirm in Foxglove. It may first ask to switch to devnet-a.").waitFor()
    expect(await progress.innerText()).toMatch(
      new RegExp(
        `${cannotShow} This page has verified that the signature commits to at least 0\\.0\\d+\\sWETH on devnet-b`
      )
    )
    await expect.poll(() => kindsOf(wallet).length).toBe(5)
    await progress.getByRole("button", { name: "Cancel" }).click()
    await button("Try again").click()

    // A permit that was signed for a payment that was not is discarded.
    await choose(weth)
    wallet.answer("signs", "refuses")
    await attempt()
    await progress
      .getByText("Cancelled. No payment was signed. If you signed the permit, this page has discarded it.")
      .waitFor()
    expect(lastTwo()).toEqual(["Permit", "PermitWitnessTransferFrom"])
    await button("Try again").click()
    expect(monitor.count("/web/api/swap/submit")).toBe(0)
    expect(await openFlows()).toEqual([])

    wallet.set("signs")
    await settles(stack, visitor, weth, attempt)
    expect(monitor.count("/web/api/swap/submit")).toBe(1)
    expect(lastTwo()).toEqual(["Permit", "PermitWitnessTransferFrom"])
  })
})

describeInBrowser("a browser wallet that is delegated to another provider", () => {
  afterEach<{ readonly stack: Stack }>(({ stack }) => undelegate(stack))

  test("gets the reason why it cannot pay with a token that asks the wallet's code, before a quote, until it can", async ({
    stack,
    visit
  }) => {
    const { evmA } = stack.devnet
    const dave = walletOf(stack, "dave")
    await delegate(evmA, dave.address, stack.foreignAccount)
    const visitor = await visitWith(stack, visit, { route: usdc, clock: true })
    const { form, page, quoted, wallet, main } = visitor
    await form.getByText("Foxglove cannot pay with USDC on devnet-a.").waitFor()
    const text = await form.innerText()
    expect(text).toMatch(/It is delegated to another provider \(0x\w{4}…\w{4}\)\. The service says: /)
    expect(text).toContain("eip3009:")
    expect(await main.isDisabled()).toBe(true)
    expect(quoteCount(visitor)).toBe(0)
    expect(wallet.promptCount()).toBe(0)
    await delegate(evmA, dave.address, undefined)
    // The page checks again. The service caches the wallet's code for a moment, so one check may not be enough.
    const refusals = async () => {
      await page.clock.fastForward(15_000)
      return form.getByText("Foxglove cannot pay").count()
    }
    await expect.poll(refusals, { interval: 500 }).toBe(0)
    await quoted()
  })
})
