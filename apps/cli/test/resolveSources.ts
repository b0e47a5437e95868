/** Lets Node run the sources of the program: `./X.js` is found as `./X.ts`. For `node --import`. */
import { registerHooks } from "node:module"

registerHooks({
  resolve: (specifier, context, next) => {
    try {
      return next(specifier, context)
    } catch (error) {
      if (!specifier.startsWith(".") || !specifier.endsWith(".js")) throw error
      return next(specifier.replace(/\.js$/, ".ts"), context)
    }
  }
})
