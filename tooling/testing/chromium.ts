/** The Chromium that tests start, as packaged by Debian. */

/** The path of Chromium, if it is installed. */
export const executablePath = "/usr/bin/chromium"

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
