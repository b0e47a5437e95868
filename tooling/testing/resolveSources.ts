/** Lets Node run our TypeScript sources: resolves `./X.js` to `./X.ts`. */
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
