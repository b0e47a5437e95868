/** The Chromium that tests start, as packaged by Debian. */
import { existsSync } from "node:fs"

/** Without windows, Chromium takes a fifth of the processor time for every page that a test opens. */
const headlessShell = "/usr/bin/chromium-headless-shell"
const browser = "/usr/bin/chromium"

/** The path of Chromium, if it is installed. */
export const executablePath = existsSync(headlessShell) || !existsSync(browser) ? headlessShell : browser

/** Disables background network requests. Also disables the sandbox, because tests may run as root. */
export const launchOptions = {
  executablePath,
  chromiumSandbox: false,
  args: [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run"
  ]
}
