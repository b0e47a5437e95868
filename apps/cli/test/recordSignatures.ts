/**
 * Records everything that the built program signs, in the file `GEOSWAP_TEST_SIGNATURES`. For `node --import`. With
 * `GEOSWAP_TEST_HOLD_SIGNATURE`, no signature is returned, as if the process were stopped right after signing.
 */
import { registerHooks } from "node:module"

const recorded = new URL("recordedAccounts.ts", import.meta.url)

registerHooks({
  resolve: (specifier, context, next) => {
    const found = next(specifier, context)
    // The bundle loads viem's accounts from a separate chunk.
    if (!/^\.\/accounts-\w+\.js$/.test(specifier) || context.parentURL?.startsWith(recorded.href) === true) return found
    return {
      url: `${recorded.href}?${String(new URLSearchParams({ real: found.url }))}`,
      format: "module-typescript",
      shortCircuit: true
    }
  }
})
