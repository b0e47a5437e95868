/** Replaces the browser tests if there is no browser, so they are reported as skipped. */
import { describe, it } from "vitest"

describe.skipIf(true)("hooks in Chromium (skipped: /usr/bin/chromium is missing, install Debian's package)", () => {
  it("are not tested without a browser", () => {})
})
