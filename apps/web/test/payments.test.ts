/** Payments without a delegation from a wallet that behaves like MetaMask. */
import { Permit2 } from "@geoswap/contracts"
import { formatAmount } from "@geoswap/core/promise"
import { afterEach, expect } from "vitest"
import { describeInBrowser, test, type Visit, type VisitOptions } from "./browser/fixture.js"
import type { Route } from "./browser/swapPage.js"
import { accountOf, approvePermit2, delegate, tokenOf } from "./stack/chains.js"
import { balancesOn, chainA, chainB, on, walletOf } from "./stack/balances.js"
import type { Stack } from "./stack/stack.js"
import { injectedWallet, type InjectedOptions, type InjectedWallet } from "./wallets/injectedWallet.js"

const usdc: Route = { from: on(chainA, "USDC"), to: on(chainB, "WETH"), amount: "100" }
const weth: Route = { from: on(chainA, "WETH"), to: on(chainB, "USDC"), amount: "0.05" }
const self = { payer: "dave", receiver: "dave" }
const cannotShow = "Foxglove cannot show what you receive."

/** Opens a form with dave's key in a wallet that is on another network, and connects it. */
const visitWith = async (
  stack: Stack,
  visit: (options?: VisitOptions) => Promise<Visit>,
  form: Pick<VisitOptions, "clock" | "route">,
  options: InjectedOptions = { chains: [stack.devnet.evmA.id, stack.devnet.evmB.id] }
): Promise<Visit & { readonly wallet: InjectedWallet }> => {
  const { privateKey } = walletOf(stack, "dave")
  const installed: { wallet?: InjectedWallet } = {}
  const visitor = await visit({
    ...form,
    // No test wallet is connected.
    stored: { "geoswap.wallets": JSON.stringify({ evm: "none", solana: "none" }) },
    before: async ({ page }) =>
      (installed.wallet = await injectedWallet(page.context(), "Foxglove", [privateKey], options))
  })
  const { wallet } = installed
  if (wallet === undefined) throw new Error("The wallet was not installed.")
  await visitor.connect("Foxglove")
  return { ...visitor, wallet }
}

/** The kinds of the prompts, in order. */
const kindsOf = (wallet: InjectedWallet): ReadonlyArray<string> => wallet.prompts().map(({ kind }) => kind)

/** How many firm quotes the page requested. An indicative quote reserves nothing. */
const quoteCount = ({ monitor }: Visit): number =>
  monitor.sent.filter(({ body, path }) => path === "/web/api/swap/quote" && !body.includes('"indicative":true')).length

/** An address as 32 bytes. */
const word = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, "0")}`

/** The swap is over: what the wallet paid is what the route says, and the page shows the delivery. */
const settles = async (stack: Stack, { step }: Visit, route: Route, run: () => Promise<void>) => {
  const before = await balancesOn(stack, route, self)
  await run()
  await step("delivery", "done").waitFor({ state: "attached" })
  const after = await balancesOn(stack, route, self)
  expect(formatAmount(before.input.units - after.input.units, before.input.decimals)).toBe(route.amount)
  expect(after.output.units).toBeGreaterThan(before.output.units)
}

describeInBrowser("a browser wallet without a delegation", () => {
  afterEach<{ readonly stack: Stack }>(async ({ stack }) => {
    const { evmA, evmB } = stack.devnet
    for (const chain of [evmA, evmB]) await delegate(chain, walletOf(stack, "dave").address, undefined)
  })

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

  test("can reject each prompt and retry, and the page says what was signed", async ({ stack, visit }) => {
    const visitor = await visitWith(stack, visit, { route: usdc })
    const { button, choose, confirm, journal, monitor, openReview, progress, quoted, wallet } = visitor
    const attempt = async () => {
      await quoted()
      await openReview()
      await confirm()
    }
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
    expect(
      wallet
        .typedData()
        .map(({ primaryType }) => primaryType)
        .slice(-2)
    ).toEqual(["Permit", "PermitWitnessTransferFrom"])
    await button("Try again").click()
    expect(monitor.count("/web/api/swap/submit")).toBe(0)
    expect(await journal()).toEqual([])

    wallet.set("signs")
    await choose(usdc)
    await settles(stack, visitor, usdc, attempt)
    expect(monitor.count("/web/api/swap/submit")).toBe(1)
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
    const { activity, confirm, journal, openReview, page, quoted, step, unfinished, wallet } = visitor
    const swaps = (await stack.swaps()).length
    await quoted()
    await openReview()
    await settles(stack, visitor, usdc, async () => {
      await stack.devnet.evmA.hold()
      await confirm()
      await step("origin", "running").waitFor()
      expect(await journal()).toHaveLength(1)
      await page.reload()
      await unfinished.getByText("Swap in progress: 100 USDC on devnet-a → WETH on devnet-b").waitFor()
      await step("origin", "running").waitFor()
      expect(await step("sign").innerText()).toContain("A payment authorization (EIP-3009)")
      await stack.devnet.evmA.release()
    })
    expect(await activity.getByRole("listitem").innerText()).toContain("Delivered")
    expect(await journal()).toEqual([])
    expect((await stack.swaps()).length - swaps).toBe(1)
    expect(wallet.typedData()).toHaveLength(1)
  })

  test("has signed nothing after a reload while the wallet asks", async ({ stack, visit }) => {
    const visitor = await visitWith(stack, visit, { route: usdc })
    const { confirm, form, journal, monitor, openReview, page, quoted, unfinished, wallet } = visitor
    await quoted()
    await openReview()
    wallet.answer("signs", "hangs")
    await confirm()
    await expect.poll(() => wallet.typedData().length).toBe(1)
    await page.reload()
    await form.getByLabel("Amount", { exact: true }).fill(usdc.amount)
    await quoted()
    expect([await journal(), await unfinished.count(), monitor.count("/web/api/swap/submit")]).toEqual([[], 0, 0])
    await openReview()
    await settles(stack, visitor, usdc, confirm)
  })
})

describeInBrowser("a browser wallet that is delegated to another provider", () => {
  afterEach<{ readonly stack: Stack }>(({ stack }) =>
    delegate(stack.devnet.evmA, walletOf(stack, "dave").address, undefined)
  )

  test("pays with a token that does not ask the wallet's code", async ({ stack, visit }) => {
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

  test("gets the reason why it cannot pay with a token that asks the wallet's code, before a quote", async ({
    stack,
    visit
  }) => {
    const { evmA } = stack.devnet
    const dave = walletOf(stack, "dave")
    await delegate(evmA, dave.address, stack.foreignAccount)
    const visitor = await visitWith(stack, visit, { route: usdc })
    const { form, wallet, main } = visitor
    await form.getByText("Foxglove cannot pay with USDC on devnet-a.").waitFor()
    const text = await form.innerText()
    expect(text).toMatch(/It is delegated to another provider \(0x\w{4}…\w{4}\)\. The service says: /)
    expect(text).toContain("eip3009:")
    expect(await main.isDisabled()).toBe(true)
    expect(quoteCount(visitor)).toBe(0)
    expect(wallet.promptCount()).toBe(0)
  })
})

describeInBrowser("a browser wallet that is delegated to the second version of the account", () => {
  test("shows the operation as typed data with all terms", async ({ stack, visit }) => {
    const { evmA, evmB } = stack.devnet
    const route: Route = { from: on(chainB, "USDC"), to: on(chainA, "WETH"), amount: "70" }
    const dave = walletOf(stack, "dave")
    const account = evmB.contracts.accountV2 ?? ""
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
      domain: { name: "GeoSwap", version: "2", chainId: evmB.id },
      message: { amount: "70000000", terms: { destinationChain: `${evmA.id}`, recipient: word(dave.address) } }
    })
    expect(String(data?.domain["verifyingContract"]).toLowerCase()).toBe(account.toLowerCase())
    await delegate(evmB, dave.address, undefined)
  })
})
