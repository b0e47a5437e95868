/** The examples that are pages, in a browser. */
import { formatAmount } from "@geoswap/core/promise"
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, globSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { stripVTControlCharacters } from "node:util"
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core"
import { type Address, createTestClient, http } from "viem"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { injectedWallet } from "../../../../tooling/testing/browser/injectedWallet.js"
import { inspect } from "../../../../tooling/testing/browser/inspect.js"
import { standardWallet } from "../../../../tooling/testing/browser/standardWallet.js"
import { executablePath, launchOptions } from "../../../../tooling/testing/chromium.js"
import { balanceOf } from "../../src/demo/balances.js"
import type { StackDescription } from "../../src/Stack.js"
import { timeout } from "../fixture.js"

/** How an installed example starts. */
export interface Start {
  readonly folder: string
  readonly script: string
  readonly env: NodeJS.ProcessEnv
}

const noBrowser = existsSync(executablePath) ? "" : ` (skipped: there is no Chromium at ${executablePath})`

/** The suite of these pages, which are installed and built for the running stack. */
export const describePages = (
  pages: ReadonlyArray<string>,
  startOf: (name: string) => Start,
  stack: () => StackDescription
): void => {
  describe.skipIf(noBrowser !== "")(`that are pages${noBrowser}`, () => {
    const servers: Array<ChildProcess> = []
    const urls = new Map<string, string>()
    let browser: Browser

    /** Builds and serves a page as its README says. Returns the page's URL. */
    const serve = (name: string) =>
      new Promise<string>((resolve, reject) => {
        const { env, folder, script } = startOf(name)
        // In a separate process group, so that the shell and vite can be stopped together.
        const child = spawn("sh", ["-c", `${script} --port 0`], { cwd: folder, detached: true, env })
        servers.push(child)
        let output = ""
        for (const stream of [child.stdout, child.stderr]) {
          stream.on("data", (chunk: Buffer) => {
            // Vite prints colors if `CI` is set.
            output += stripVTControlCharacters(chunk.toString())
            const [, url] = /Local:\s+(http:\S+)/.exec(output) ?? []
            if (url !== undefined) resolve(url)
          })
        }
        child.once("error", reject)
        child.once("close", (code) => reject(new Error(`${name} exited with ${code}, and printed: ${output}`)))
      })

    beforeAll(async () => {
      const launched = chromium.launch({ ...launchOptions, headless: true })
      await Promise.all(pages.map(async (name) => urls.set(name, await serve(name))))
      browser = await launched
    }, timeout)
    afterAll(async () => {
      for (const { pid = 0 } of servers) process.kill(-pid, "SIGKILL")
      await browser.close()
    })

    const chainOf = (name: string) => {
      const chain = stack().chains.find((one) => one.name === name)
      if (chain === undefined) throw new Error(`There is no chain ${name}.`)
      return chain
    }
    const walletOf = (name: string) => {
      const wallet = stack().wallets.find((one) => one.name === name)
      if (wallet === undefined) throw new Error(`There is no wallet ${name}.`)
      return wallet
    }
    /** Reads a balance from the chain, in whole tokens. */
    const balance = async (symbol: string, chainName: string, owner: string) => {
      const chain = chainOf(chainName)
      const token = chain.tokens.find((one) => one.symbol === symbol)
      if (token === undefined) throw new Error(`There is no ${symbol} on ${chainName}.`)
      const units = await balanceOf(chain, token.address, walletOf(owner).address)
      return { units, minus: (before: bigint) => formatAmount(units - before, token.decimals) }
    }

    /** Opens a page in a new browser profile, and records its requests. */
    const visit = async (name: string, install: (context: BrowserContext) => Promise<unknown>) => {
      const context = await browser.newContext({ locale: "en-GB" })
      onTestFinished(() => context.close())
      context.setDefaultTimeout(60_000)
      const requests: Array<string> = []
      context.on("request", (request) => {
        requests.push(`${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ""}`)
      })
      await install(context)
      const page = await context.newPage()
      await page.goto(urls.get(name) ?? "")
      // An indicative quote reserves nothing.
      const isQuote = (request: string) => request.includes("/swap/quote") && !request.includes('"indicative":true')
      return { page, quotes: () => requests.filter(isQuote), requests }
    }

    const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })

    /** Delegates a wallet to a contract, or removes its delegation, without a signature. */
    const delegate = (name: string, contract: string | undefined) =>
      createTestClient({ mode: "anvil", transport: http(chainOf("devnet-a").rpcUrl) }).setCode({
        address: walletOf(name).address as Address,
        bytecode: contract === undefined ? "0x" : `0xef0100${contract.slice(2)}`
      })

    it("wagmi-page says why a wallet cannot pay before it requests a quote", { timeout }, async () => {
      // USDC asks the wallet's code, and there is none at this address.
      await delegate("carol", "0x63c0c19a282a1b52b07dd5a65b58948a07dae32b")
      const { page, quotes } = await visit("wagmi-page", async (context) => {
        await context.clock.install()
        await injectedWallet(context, "Test wallet", [walletOf("carol").privateKey])
      })
      await button(page, "Connect Test wallet").click()
      await page.getByLabel("Pay with").selectOption("USDC@devnet-a")
      await page.getByLabel("Receive").selectOption("WETH@devnet-b")
      await page.getByLabel("Amount").fill("100")
      const notice = page.getByRole("alert")
      await notice.getByText("Test wallet cannot pay with this token on devnet-a.").waitFor()
      expect(await notice.innerText()).toContain("Pay with another token")
      // Longer than the form waits before it requests a quote.
      await page.clock.runFor(1_000)
      expect(await button(page, "Swap").isDisabled()).toBe(true)
      expect(quotes()).toEqual([])
      expect(await inspect(page, "the notice")).toEqual([])

      await delegate("carol", undefined)
      const received = page.getByText("You receive")
      await expect
        .poll(
          async () => {
            // The service caches the wallet's delegation for a moment, so one check may not be enough.
            const again = button(page, "Check again")
            if (await again.isVisible()) await again.click({ timeout: 1_000 }).catch(() => undefined)
            await page.clock.runFor(1_000)
            return received.isVisible()
          },
          { timeout: 60_000, interval: 500 }
        )
        .toBe(true)
      expect(quotes()).not.toEqual([])
    })

    it(
      "wagmi-page swaps without a delegation, and the balances on the chains match the page",
      { timeout },
      async () => {
        await delegate("carol", undefined)
        const paid = await balance("USDC", "devnet-a", "carol")
        const received = await balance("WETH", "devnet-b", "carol")
        let wallet: Awaited<ReturnType<typeof injectedWallet>> | undefined
        const chains = ["devnet-a", "devnet-b"].map((name) => chainOf(name).id)
        const { page, requests } = await visit("wagmi-page", async (context) => {
          wallet = await injectedWallet(context, "Test wallet", [walletOf("carol").privateKey], { chains })
        })
        await button(page, "Connect Test wallet").click()
        await page.getByLabel("Pay with").selectOption("USDC@devnet-a")
        await page.getByLabel("Receive").selectOption("WETH@devnet-b")
        await page.getByLabel("Amount").fill("100")
        wallet?.answer("signs", "refuses")
        await button(page, "Swap").click()
        await page.getByRole("alert").getByText("You declined to sign.").waitFor()
        await button(page, "New swap").click()

        await page.getByText("You receive").waitFor()
        expect(await inspect(page, "the quote")).toEqual([])
        await button(page, "Swap").click()
        await page.getByText("Delivered", { exact: true }).waitFor()
        const shown = await page.getByRole("status").innerText()
        expect(wallet?.typedData().map(({ primaryType }) => primaryType)).toEqual([
          "ReceiveWithAuthorization",
          "ReceiveWithAuthorization"
        ])
        expect((await balance("USDC", "devnet-a", "carol")).minus(paid.units)).toBe("-100")
        expect(shown).toContain(
          `${(await balance("WETH", "devnet-b", "carol")).minus(received.units)} WETH on devnet-b`
        )
        for (const key of stack().service.apiKeys) expect(requests.join("\n")).not.toContain(key)
      }
    )

    it("solana-page swaps, and the balances on the chains match the page", { timeout }, async () => {
      const paid = await balance("USDC", "devnet-solana", "frank")
      const received = await balance("WETH", "devnet-b", "bob")
      const { page, requests } = await visit("solana-page", (context) =>
        standardWallet(context, "Test wallet", [walletOf("frank").privateKey])
      )
      await button(page, "Connect Test wallet").click()
      await page.getByLabel("Pay with").selectOption("USDC@devnet-solana")
      await page.getByLabel("Receive").selectOption("WETH@devnet-b")
      await page.getByLabel("Amount").fill("75")
      await page.getByLabel("Recipient").fill(walletOf("bob").address)
      await page.getByText("You receive").waitFor()
      expect(await inspect(page, "the quote")).toEqual([])
      await button(page, "Swap").click()
      const outcome = page.getByRole("status").filter({ hasText: "Delivered" })
      const shown = await outcome.innerText()
      expect((await balance("USDC", "devnet-solana", "frank")).minus(paid.units)).toBe("-75")
      expect(shown).toContain(`${(await balance("WETH", "devnet-b", "bob")).minus(received.units)} WETH`)
      for (const key of stack().service.apiKeys) expect(requests.join("\n")).not.toContain(key)
    })

    it.for(pages)("%s contains no API key", (name) => {
      const built = join(startOf(name).folder, "dist")
      const files = globSync("**/*", { cwd: built }).filter((path) => statSync(join(built, path)).isFile())
      const text = files.map((path) => readFileSync(join(built, path), "utf8")).join("\n")
      expect(text).toContain("devnet-a")
      for (const key of stack().service.apiKeys) expect(text).not.toContain(key)
    })
  })
}
