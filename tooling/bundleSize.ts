/** Bundles code as an application would, and measures the result. */
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"

/** The size of a bundle, in kB (1000 bytes). */
export interface BundleSize {
  readonly minified: number
  /** Minified and gzipped. */
  readonly compressed: number
}

/** Measures the bundle for a browser. The packages that the code imports are resolved from `folder`. */
export const bundleSize = async (
  code: string,
  folder: string,
  external: ReadonlyArray<RegExp> = []
): Promise<BundleSize> => {
  const entry = join(folder, "entry.js")
  const bundle = await rolldown({
    input: entry,
    cwd: folder,
    platform: "browser",
    // The bundler warns about "use client", which does not matter here.
    logLevel: "silent",
    external: [...external],
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? code : null)
      }
    ]
  })
  const { output } = await bundle.generate({ format: "esm", minify: true, codeSplitting: false })
  await bundle.close()
  const chunks = output.flatMap((file) => (file.type === "chunk" ? [Buffer.from(file.code)] : []))
  return {
    minified: chunks.reduce((sum, chunk) => sum + chunk.length, 0) / 1000,
    compressed: chunks.reduce((sum, chunk) => sum + gzipSync(chunk, { level: 9 }).length, 0) / 1000
  }
}
