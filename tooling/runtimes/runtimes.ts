/** The supported runtimes, each with a function that runs a guest in it. */
import type { Platform } from "./bundle.ts"
import { type Run, runBrowser, runProcess, runThread, runWorkerd } from "./runners.ts"
import { bun, chromium, deno, minimumNode, node, workerd } from "./installed.ts"

/**
 * Arguments that allow no configuration and no remote code. The only permissions are to connect to this machine and to
 * read the one environment variable that the errors of `@solana/kit` need.
 */
const denoArgs = [
  "run",
  "--no-prompt",
  "--no-config",
  "--no-lock",
  "--no-remote",
  "--allow-net=127.0.0.1",
  "--allow-env=NODE_ENV"
]

export interface Runtime {
  /** The runtime's name with its version, or with the reason why it cannot be tested. */
  readonly label: string
  /** The path of the runtime, or undefined if the runtime cannot be tested. */
  readonly path?: string
  /** The builds that bundlers choose for the runtime. */
  readonly platform: Platform
  readonly start: (path: string, run: Run) => Promise<unknown>
}

export const runtimes: ReadonlyArray<Runtime> = [
  { ...minimumNode, platform: "node", start: (path, run) => runProcess(path, [], run) },
  { ...node, platform: "node", start: (path, run) => runProcess(path, [], run) },
  { ...node, label: `a worker thread in ${node.label}`, platform: "node", start: (_, run) => runThread(run) },
  { ...bun, platform: "node", start: (path, run) => runProcess(path, ["run"], run) },
  { ...deno, platform: "node", start: (path, run) => runProcess(path, denoArgs, run) },
  { ...workerd, platform: "node", start: runWorkerd },
  {
    ...chromium,
    label: `a page in ${chromium.label}`,
    platform: "browser",
    start: (path, run) => runBrowser(path, "page", run)
  },
  {
    ...chromium,
    label: `a web worker in ${chromium.label}`,
    platform: "browser",
    start: (path, run) => runBrowser(path, "worker", run)
  }
]
