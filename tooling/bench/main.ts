/** `pnpm bench service …`, `pnpm bench page …` or `pnpm bench sdk …`: builds what a benchmark measures, and runs the benchmark. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { root } from "../workspace.ts"

interface Benchmark {
  readonly about: string
  /** The packages to build first. */
  readonly packages: ReadonlyArray<string>
  readonly program: string
}

const benchmarks: Readonly<Record<string, Benchmark>> = {
  service: {
    about: "requests per second, latency and memory of the service",
    packages: ["@geoswap/server", "@geoswap/devnet"],
    program: "apps/server/bench/main.ts"
  },
  page: {
    about: "how soon the page can be used on a first visit",
    packages: ["@geoswap/web", "@geoswap/server", "@geoswap/devnet"],
    program: "apps/web/bench/main.ts"
  },
  sdk: {
    about: "import time and bundle size of the SDK, compared with other SDKs",
    packages: ["@geoswap/core", "@geoswap/transport-fetch", "@geoswap/signer-evm"],
    program: "tooling/bench/sdk.ts"
  }
}

const usage = [
  "Usage: pnpm bench <benchmark> [options]",
  "",
  ...Object.entries(benchmarks).map(([name, { about }]) => `  ${name.padEnd(9)}${about}`),
  "",
  "pnpm bench <benchmark> --help lists the options of a benchmark."
].join("\n")

/** Runs a program with the output on this terminal, and returns its exit code. */
const run = async (command: string, args: ReadonlyArray<string>): Promise<number> => {
  const child = spawn(command, args, { cwd: root, stdio: "inherit" })
  const [code] = (await once(child, "exit")) as [number | null]
  return code ?? 1
}

const [name = "", ...args] = process.argv.slice(2)
const benchmark = Object.hasOwn(benchmarks, name) ? benchmarks[name] : undefined
if (benchmark === undefined) {
  const asked = name === "--help" || name === "-h"
  const print = asked ? console.log : console.error
  print(usage)
  process.exitCode = asked ? 0 : 64
} else {
  const { packages, program } = benchmark
  const isHelp = args.includes("--help") || args.includes("-h")
  const filters = packages.map((one) => `--filter=${one}`)
  const built = isHelp ? 0 : await run("turbo", ["run", "build", ...filters, "--output-logs=errors-only"])
  process.exitCode = built === 0 ? await run(process.execPath, [join(root, program), name, ...args]) : built
}
