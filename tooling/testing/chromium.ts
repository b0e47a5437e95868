/** Debian's Chromium, as tests start it. */

/** Where it is, if it is there. */
export const executablePath = "/usr/bin/chromium"

/** Without a sandbox, since tests may run as root. It goes to no network of its own accord. */
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
