import type { Options } from "tsup"

/**
 * The build configuration for every published package. There is one output file per source file, so bundlers can drop
 * unused modules and stack traces name the module. `tsc` emits the declarations.
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
  // The package contains the sources, so the source maps do not include them.
  esbuildOptions: (options) => {
    options.sourcesContent = false
  },
  clean: true,
  silent: true
}

export default preset
