/** Balances after swaps in all directions, and after a swap of an earlier visit. */
import "./balances.test.js"
import { evmToEvm, expectedBalances, expectOnly, expectShown, recorded } from "./balances/shown.js"
import { describeInBrowser, test } from "./browser/fixture.js"

describeInBrowser("balances next to a delivered swap", () => {
  test("are updated if an earlier visit made the swap", async ({ stack, visit }) => {
    const participants = { payer: "bob", receiver: "bob" }
    const before = await expectedBalances(stack, evmToEvm, participants)
    const visitor = await visit({ ...recorded, wallets: ["bob"], route: evmToEvm })
    const { confirm, form, openReview, page, quoted, step, unfinished } = visitor
    await quoted()
    await openReview()
    await stack.devnet.evmA.hold()
    await confirm()
    await step("payment", "running").waitFor()
    await page.reload()
    await unfinished.waitFor()
    await form.getByLabel("Amount", { exact: true }).fill("")
    await expectShown(page, before)
    await stack.devnet.evmA.release()
    await step("delivery", "done").waitFor({ state: "attached" })
    const after = await expectedBalances(stack, evmToEvm, participants)
    await expectShown(page, after)
    await expectOnly(page, after)
  })
})
