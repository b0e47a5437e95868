/** Debian's Chromium, as started by tests. */

/** The path of Chromium, if it is installed. */
export const executablePath = "/usr/bin/chromium"

/** Disables the sandbox, because tests may run as root, and background network requests. */
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
