import type { Options } from "tsup"

/**
 * Bundles the program with its dependencies: a small entry, and chunks that are loaded on demand. Users install nothing
 * else.
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
