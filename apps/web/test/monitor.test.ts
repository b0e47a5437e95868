import { expect } from "vitest"
import { describeInBrowser, test } from "./browser/fixture.js"
import { startMonitor } from "./browser/monitor.js"
import { openProfile } from "./browser/profile.js"
import { walletOf } from "./stack/balances.js"

describeInBrowser("the monitor of every test", () => {
  test("reports other hosts, policy violations, errors and leaked secrets", async ({ browser, stack }) => {
    const [secret = ""] = stack.secrets
    const key = walletOf(stack, "alice").privateKey.slice(2)
    const { context, leave, page } = await openProfile(browser, {})
    try {
      const monitor = startMonitor(context, {
        origin: stack.url,
        secrets: [secret],
        keys: [key],
        harmless: new Set<string>()
      })
      await page.goto(stack.url)
      await page.getByRole("region", { name: "Swap", exact: true }).waitFor()
      await page.evaluate(
        async ([secret, key]) => {
          await fetch("https://elsewhere.example/").catch(() => undefined)
          await fetch("/web/nothing", { method: "POST", body: `the key is ${key}` })
          await fetch(`/web/nothing?key=${secret}`)
          localStorage.setItem("mistake", `${secret}`)
          // oxlint-disable-next-line no-console -- the console is what is being monitored
          console.error("as expected")
          document.createElement("img").src = "https://elsewhere.example/picture.png"
          setTimeout(() => {
            throw new Error("lost")
          })
        },
        [secret, key]
      )
      const answer = page.waitForResponse("**/theme.js")
      await page.route("**/theme.js", (intercepted) => intercepted.fulfill({ body: `// ${secret}` }))
      await page.reload()
      await answer
      const problems = await monitor.end(leave, [/as expected/])
      const expected = [
        /^request \/web\/nothing contains a secret$/,
        /^a response contains a secret$/,
        /^storage contains a secret$/,
        /^uncaught: lost$/,
        /^console error: policy violated: connect-src by https:\/\/elsewhere\.example/,
        /^console error: policy violated: img-src by https:\/\/elsewhere\.example/,
        /^console error: Failed to load resource: .* 404/
      ]
      for (const pattern of expected) expect(problems).toContainEqual(expect.stringMatching(pattern))
      expect(problems.filter((problem) => problem.startsWith("request /web/nothing"))).toHaveLength(2)
      expect(problems).not.toContainEqual(expect.stringMatching(/as expected/))
    } finally {
      await leave()
    }
  })
})
