/** Every way of paying without a delegation. */
import { Permit2 } from "@geoswap/contracts"
import { afterEach, expect } from "vitest"
import { describeInBrowser, test } from "./browser/fixture.js"
import type { Route } from "./browser/swapPage.js"
import { kindsOf, quoteCount, settles, undelegate, usdc, visitWith, weth, word } from "./payments/foxglove.js"
import { chainA, chainB, on, walletOf } from "./stack/balances.js"
import { accountOf, approvePermit2, delegate, tokenOf } from "./stack/chains.js"
import type { Stack } from "./stack/stack.js"

describeInBrowser("a browser wallet", () => {
  afterEach<{ readonly stack: Stack }>(({ stack }) => undelegate(stack))

  test("pays a token with ERC-2612 with two signatures, and the second one shows the terms", async ({
    stack,
    visit
  }) => {
    const { evmA, evmB } = stack.devnet
    const dave = walletOf(stack, "dave")
    const visitor = await visitWith(stack, visit, { route: weth })
    const { confirm, openReview, quoted, wallet } = visitor
    await quoted()
    const review = await openReview()
    expect(review).toContain("You sign twice")
    expect(review).toContain("A permit (ERC-2612).")
    expect(review).toContain("A payment through Permit2.")
    expect(review).toContain("Foxglove shows these terms")
    await settles(stack, visitor, weth, confirm)
    expect(kindsOf(wallet)).toEqual(["connect", "switch", "typedData", "typedData"])
    const [permit, payment] = wallet.typedData()
    expect(permit).toMatchObject({ primaryType: "Permit", message: { value: "50000000000000000" } })
    expect(String(permit?.message["spender"]).toLowerCase()).toBe(Permit2.address.toLowerCase())
    expect(payment).toMatchObject({
      primaryType: "PermitWitnessTransferFrom",
      domain: { name: "Permit2" },
      message: {
        permitted: { amount: "50000000000000000" },
        witness: {
          chainId: `${evmA.id}`,
          terms: {
            destinationChain: `${evmB.id}`,
            outputToken: word(tokenOf(evmB, "USDC").address),
            recipient: word(dave.address),
            minOutput: expect.stringMatching(/^1\d{8}$/) as string
          }
        }
      }
    })
  })

  test("pays a plain token that has approved Permit2, and is refused before a quote without that approval", async ({
    stack,
    visit
  }) => {
    const plain: Route = { from: on(chainA, "PLAIN"), to: on(chainB, "WETH"), amount: "80" }
    const dave = walletOf(stack, "dave")
    const visitor = await visitWith(stack, visit, { route: plain, clock: true })
    const { confirm, form, openReview, page, quoted, wallet, main } = visitor
    await form.getByText("Foxglove cannot pay with PLAIN on devnet-a.").waitFor()
    expect(await form.innerText()).toContain("Browser wallets do not sign EIP-7702 delegations for websites")
    expect(await main.isDisabled()).toBe(true)
    expect(quoteCount(visitor)).toBe(0)

    const { address } = tokenOf(stack.devnet.evmA, "PLAIN")
    await approvePermit2(stack.devnet.evmA, dave.privateKey, address, 80n * 10n ** 18n)
    // The page checks again, and the wallet can pay now.
    await page.clock.fastForward(15_000)
    await quoted()
    expect(await openReview()).toContain("You sign once")
    await settles(stack, visitor, plain, confirm)
    expect(wallet.typedData().map(({ primaryType }) => primaryType)).toEqual(["PermitWitnessTransferFrom"])
  })

  test("gets an explanation if it does not know the network, and can retry once it does", async ({ stack, visit }) => {
    const chains: Array<number> = []
    const visitor = await visitWith(stack, visit, { route: usdc }, { chains })
    const { button, confirm, openReview, progress, quoted, wallet } = visitor
    await quoted()
    await openReview()
    await confirm()
    await progress.getByText("Foxglove does not know this network.").waitFor()
    expect(wallet.promptCount()).toBe(0)
    await button("Try again").click()
    chains.push(stack.devnet.evmA.id)
    await quoted()
    await openReview()
    await settles(stack, visitor, usdc, confirm)
  })

  test("resumes after a reload in the middle, without another prompt", async ({ stack, visit }) => {
    const visitor = await visitWith(stack, visit, { route: usdc })
    const { activity, confirm, openFlows, openReview, page, quoted, step, unfinished, wallet } = visitor
    const swaps = (await stack.swaps()).length
    await quoted()
    await openReview()
    await settles(stack, visitor, usdc, async () => {
      await stack.devnet.evmA.hold()
      await confirm()
      await step("payment", "running").waitFor()
      expect(await openFlows()).toHaveLength(1)
      await page.reload()
      await unfinished.getByText("Swap in progress: 100 USDC on devnet-a → WETH on devnet-b").waitFor()
      await step("payment", "running").waitFor()
      expect(await step("sign").innerText()).toContain("A payment authorization (EIP-3009)")
      await stack.devnet.evmA.release()
    })
    expect(await activity.getByRole("listitem").innerText()).toContain("Delivered")
    expect(await openFlows()).toEqual([])
    expect((await stack.swaps()).length - swaps).toBe(1)
    expect(wallet.typedData()).toHaveLength(1)
  })

  test("has signed nothing after a reload while the wallet asks", async ({ stack, visit }) => {
    const visitor = await visitWith(stack, visit, { route: usdc })
    const { confirm, form, openFlows, monitor, openReview, page, quoted, unfinished, wallet } = visitor
    await quoted()
    await openReview()
    wallet.answer("signs", "hangs")
    await confirm()
    await expect.poll(() => wallet.typedData().length).toBe(1)
    await page.reload()
    await form.getByLabel("Amount", { exact: true }).fill(usdc.amount)
    await quoted()
    expect([await openFlows(), await unfinished.count(), monitor.count("/web/api/swap/submit")]).toEqual([[], 0, 0])
    await openReview()
    await settles(stack, visitor, usdc, confirm)
  })

  test("pays with a token that does not ask its code if it is delegated to another provider", async ({
    stack,
    visit
  }) => {
    const { evmA } = stack.devnet
    const eurc: Route = { from: on(chainA, "EURC"), to: on(chainB, "WETH"), amount: "90" }
    const dave = walletOf(stack, "dave")
    await delegate(evmA, dave.address, stack.foreignAccount)
    const visitor = await visitWith(stack, visit, { route: eurc })
    const { confirm, openReview, quoted, wallet } = visitor
    await quoted()
    expect(await openReview()).toContain("A payment authorization (EIP-3009)")
    await settles(stack, visitor, eurc, confirm)
    expect(kindsOf(wallet)).toEqual(["connect", "switch", "typedData"])
    // The other provider's delegation stays.
    expect((await accountOf(evmA, dave.address)).code).toBe(`0xef0100${stack.foreignAccount.slice(2).toLowerCase()}`)
  })

  test("shows the operation as typed data with all terms if it is delegated", async ({ stack, visit }) => {
    const { evmA, evmB } = stack.devnet
    const route: Route = { from: on(chainB, "USDC"), to: on(chainA, "WETH"), amount: "70" }
    const dave = walletOf(stack, "dave")
    const { account } = evmB.contracts
    await delegate(evmB, dave.address, account)
    const visitor = await visitWith(stack, visit, { route })
    const { confirm, openReview, quoted, wallet } = visitor
    await quoted()
    const review = await openReview()
    expect(review).toContain("The payment.")
    expect(review).toContain("Foxglove shows these terms")
    await settles(stack, visitor, route, confirm)
    expect(kindsOf(wallet)).toEqual(["connect", "switch", "typedData"])
    const [data] = wallet.typedData()
    expect(data).toMatchObject({
      primaryType: "GeoOp",
      domain: { name: "GeoSwap", version: "1", chainId: evmB.id },
      message: { amount: "70000000", terms: { destinationChain: `${evmA.id}`, recipient: word(dave.address) } }
    })
    expect(String(data?.domain["verifyingContract"]).toLowerCase()).toBe(account.toLowerCase())
  })
})
