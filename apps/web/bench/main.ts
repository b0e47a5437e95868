/** `pnpm bench page [--runs <number>] [--json]`: measures how soon the page can be used on a first visit. */
import { cpus } from "node:os"
import { parseArgs } from "node:util"
import { startDevnet } from "@geoswap/devnet"
import { DevnetServer } from "@geoswap/server"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as References from "effect/References"
import * as Scope from "effect/Scope"
import { type Browser, chromium } from "playwright-core"
import { goal, median, type Section, textOf } from "../../../tooling/bench/report.ts"
import { launchOptions } from "../../../tooling/testing/chromium.ts"

const usage = `Usage: pnpm bench page [--runs <number>] [--json]

Starts a devnet, the service and Chromium, and opens the page with an empty cache. The page can be used as soon as the
form has its chains and tokens, and asks for an amount.

  --runs <number>  visits per measurement (default: 9)
  --json           prints the report as JSON`

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: "boolean", short: "h" },
    json: { type: "boolean" },
    runs: { type: "string", default: "9" }
  }
})

/** What one visit measured, in milliseconds. */
interface Visit {
  readonly painted: number
  readonly usable: number
  /** The number of tasks of more than 50 ms until the page could be used, and the time beyond 50 ms in each. */
  readonly longTasks: number
  readonly blocked: number
}

/** The parts of a performance entry that are read in the page. */
interface Entry {
  readonly name: string
  readonly startTime: number
  readonly duration: number
}

/** Opens the page with a processor that is `rate` times slower. */
const visit = async (browser: Browser, url: string, rate: number): Promise<Visit> => {
  const context = await browser.newContext({ locale: "en", viewport: { width: 1280, height: 720 } })
  try {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send("Emulation.setCPUThrottlingRate", { rate })
    await page.addInitScript(`
      globalThis.entries = []
      for (const type of ["longtask", "paint"]) {
        new PerformanceObserver((list) => entries.push(...list.getEntries())).observe({ type, buffered: true })
      }
      const check = () => {
        if (document.querySelector("form button[type=submit]")?.textContent !== "Enter an amount") {
          return requestAnimationFrame(check)
        }
        globalThis.usableAt = performance.now()
      }
      check()
    `)
    await page.goto(url)
    await page.getByRole("button", { name: "Enter an amount" }).waitFor()
    const [usable, entries] = await page.evaluate<readonly [number, ReadonlyArray<Entry>]>(
      "[globalThis.usableAt ?? performance.now(), entries.map(({ name, startTime, duration }) => ({ name, startTime, duration }))]"
    )
    const tasks = entries.filter(({ duration, startTime }) => duration > 0 && startTime < usable)
    return {
      usable,
      painted: entries.find(({ name }) => name === "first-contentful-paint")?.startTime ?? Number.NaN,
      longTasks: tasks.length,
      blocked: tasks.reduce((sum, { duration }) => sum + duration - 50, 0)
    }
  } finally {
    await context.close()
  }
}

const measure = async (url: string, runs: number): Promise<Section> => {
  const browser = await chromium.launch({ ...launchOptions, headless: true })
  try {
    // The first visit also starts processes of the browser.
    await visit(browser, url, 1)
    const measured: Array<readonly [rate: number, visits: ReadonlyArray<Visit>]> = []
    for (const rate of [1, 4]) {
      const visits: Array<Visit> = []
      for (let run = 0; run < runs; run += 1) visits.push(await visit(browser, url, rate))
      measured.push([rate, visits])
    }
    const of = (visits: ReadonlyArray<Visit>, field: keyof Visit) => median(visits.map((one) => one[field]))
    return {
      title: "First visit to the page",
      columns: ["processor", "first paint, ms", "usable, ms", "slowest, ms", "long tasks", "blocked, ms"],
      rows: measured.map(([rate, visits]) => [
        rate === 1 ? "full speed" : `÷ ${rate}`,
        of(visits, "painted"),
        of(visits, "usable"),
        Math.max(...visits.map(({ usable }) => usable)),
        of(visits, "longTasks"),
        of(visits, "blocked")
      ]),
      notes: [
        `Medians of ${runs} visits with an empty cache, on ${cpus().length} × ${cpus()[0]?.model ?? "unknown"}.`,
        "The service runs on the same machine."
      ],
      goals: measured.map(([rate, visits]) =>
        goal(`usable with the processor at 1/${rate}`, "≤", rate === 1 ? 1_000 : 2_000, of(visits, "usable"), " ms")
      )
    }
  } finally {
    await browser.close()
  }
}

const print = (text: string): boolean => process.stdout.write(`${text}\n`)

if (values.help === true) print(usage)
else {
  const devnet = await startDevnet({ ports: "free" })
  const scope = Scope.makeUnsafe()
  try {
    const { url } = await DevnetServer.make(devnet.description, { port: 0, web: true }).pipe(
      Effect.provideService(References.MinimumLogLevel, "None"),
      (made) => Effect.runPromise(Scope.provide(made, scope))
    )
    const section = await measure(url, Number(values.runs))
    print(values.json === true ? JSON.stringify([section]) : textOf(section))
  } finally {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await devnet.stop()
  }
}
