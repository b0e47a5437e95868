/** Debian's Chromium, as tests start it. */

/** Its path, if it is installed. */
export const executablePath = "/usr/bin/chromium"

/** Without a sandbox, since tests may run as root, and without background network requests. */
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
