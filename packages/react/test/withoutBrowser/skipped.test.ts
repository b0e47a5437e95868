/** Replaces the browser tests if there is no browser, so they are reported as skipped. */
import { describe, it } from "vitest"

describe.skipIf(true)("hooks in Chromium (skipped: install Debian's chromium-headless-shell)", () => {
  it("are not tested without a browser", () => {})
})
