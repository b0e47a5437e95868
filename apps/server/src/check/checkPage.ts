/** Whether the page could be served, and whom it takes for its visitors. */
import { Config } from "@geoswap/service"
import * as Effect from "effect/Effect"
import * as Web from "../web/Web.js"

/** What there is to tell of a page. */
interface PageReport {
  readonly folder: string
  readonly files: number
  readonly trustedProxies: number
}

interface PageCheck {
  readonly problems: ReadonlyArray<string>
  /** Absent where there is no page, or one that cannot be served. */
  readonly found?: PageReport
}

/** Looks at the page of a configuration, if it has one. */
export const checkPage = ({ listen, web }: Pick<Config.Config, "listen" | "web">): Effect.Effect<PageCheck> =>
  web === undefined
    ? Effect.succeed({ problems: [] })
    : Effect.match(Web.readPage(web.folder), {
        onFailure: ({ message }): PageCheck => ({ problems: [message] }),
        onSuccess: ({ files, folder }): PageCheck => ({
          problems: [],
          found: { folder, files: files.size, trustedProxies: Config.trustedProxies({ listen, web }) }
        })
      })

/** The same for people. */
export const formatPage = ({ files, folder, trustedProxies }: PageReport): string => {
  const proxies = trustedProxies === 1 ? "1 proxy adds" : `${trustedProxies} proxies add`
  const visitors = trustedProxies === 0 ? "their connection" : `X-Forwarded-For, to which ${proxies}`
  return `the page: ${files} files in ${folder}; visitors are told apart by ${visitors}`
}
