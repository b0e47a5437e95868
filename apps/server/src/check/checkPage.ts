/** Checks that the swap page can be served, and reports how the server distinguishes visitors. */
import type { Config } from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as Web from "../web/Web.js"

interface PageReport {
  readonly folder: string
  readonly files: number
  readonly trustedProxies: number
}

/** Checks the configured page. There is no report if there is no page or the page cannot be served. */
export const checkPage = ({ listen, web }: Pick<Config.Config, "listen" | "web">) =>
  web === undefined
    ? Effect.succeed({ problems: [], found: undefined })
    : Effect.match(Web.readPage(web.folder), {
        onFailure: ({ message }) => ({ problems: [message], found: undefined }),
        onSuccess: ({ files, folder }) => ({
          problems: [],
          found: { folder, files: files.size, trustedProxies: listen.trustedProxies }
        })
      })

/** Formats the page report as one line. */
export const formatPage = ({ files, folder, trustedProxies }: PageReport) => {
  const proxies = trustedProxies === 1 ? "1 trusted proxy" : `${trustedProxies} trusted proxies`
  const visitors = trustedProxies === 0 ? "connection address" : `X-Forwarded-For behind ${proxies}`
  return `page: ${files} files in ${folder}; visitors are told apart by ${visitors}`
}
