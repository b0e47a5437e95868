/** Content types by file extension. */

const text = (type: string) => ({ type: `${type}; charset=utf-8`, compresses: true })
const binary = (type: string, compresses = false) => ({ type, compresses })

const kinds: Readonly<Record<string, { readonly type: string; readonly compresses: boolean }>> = {
  html: text("text/html"),
  js: text("text/javascript"),
  mjs: text("text/javascript"),
  css: text("text/css"),
  txt: text("text/plain"),
  json: binary("application/json", true),
  map: binary("application/json", true),
  webmanifest: binary("application/manifest+json", true),
  xml: text("application/xml"),
  svg: binary("image/svg+xml", true),
  wasm: binary("application/wasm", true),
  ico: binary("image/x-icon", true),
  png: binary("image/png"),
  jpg: binary("image/jpeg"),
  jpeg: binary("image/jpeg"),
  gif: binary("image/gif"),
  webp: binary("image/webp"),
  avif: binary("image/avif"),
  woff: binary("font/woff"),
  woff2: binary("font/woff2"),
  ttf: binary("font/ttf", true)
}

/** The content type of a file, and whether the file is worth compressing. */
export const contentTypeOf = (name: string): { readonly type: string; readonly compresses: boolean } =>
  kinds[name.slice(name.lastIndexOf(".") + 1).toLowerCase()] ?? binary("application/octet-stream")
