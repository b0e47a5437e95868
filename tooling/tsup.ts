import type { Options } from "tsup"

/**
 * The build of every published package: one output file per source file, so that bundlers can drop what is not
 * imported and stack traces name the module. The declarations come from `tsc`.
 */
const preset: Options = {
  entry: ["src/**/*.ts"],
  format: "esm",
  target: "es2023",
  platform: "neutral",
  bundle: false,
  splitting: false,
  dts: false,
  sourcemap: true,
  // The sources are in the package: the maps need not repeat them.
  esbuildOptions: (options) => {
    options.sourcesContent = false
  },
  clean: true,
  silent: true
}

export default preset
