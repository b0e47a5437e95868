import type { Options } from "tsup"

/**
 * The program with all that it needs in it: a small entry, and chunks that are loaded once they are needed. Nothing has
 * to be installed beside it.
 */
const options: Options = {
  entry: { cli: "src/cli.ts" },
  format: "esm",
  target: "node22",
  platform: "node",
  bundle: true,
  splitting: true,
  minify: true,
  noExternal: [/.*/],
  dts: false,
  sourcemap: false,
  clean: true,
  silent: true,
  inject: ["src/node/lazySegmenter.ts"],
  define: { "Intl.Segmenter": "LazySegmenter" }
}

export default options
