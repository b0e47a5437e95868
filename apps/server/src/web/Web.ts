/** The swap page: its files, its configuration, and the API for visitors, who need no key. */
import {
  Balances,
  type Chains,
  type Config,
  HttpApp,
  LimitShares,
  Names,
  RateLimits,
  type Refusal,
  type Service,
  type Store,
  type StoreError
} from "@geoswap/service"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { clientAddress } from "../http/clientAddress.js"
import { fileRoutes } from "./fileRoutes.js"
import { type BurnerWallet, pageConfig } from "./pageConfig.js"
import { InvalidPage, type Page, readPage } from "./readPage.js"
import { verifySameOrigin } from "./sameOrigin.js"

export { InvalidPage, readPage }
export type { BurnerWallet, Page }

export interface Options {
  readonly config: Pick<Config.Config, "chains" | "listen" | "quotes">
  readonly web: Config.Web
  readonly page: Page
  /** Returns the pseudonym of a network address. */
  readonly pseudonym: (address: string) => string
  readonly service: Service.Service
  readonly store: Store.Store
  readonly chains: ReadonlyMap<number, Chains.Chain>
  /** Devnet wallets for visitors who have no wallet. The page shows the wallets' keys to everyone. */
  readonly wallets?: ReadonlyArray<BurnerWallet> | undefined
}

const get = (path: string, route: HttpApp.Route): HttpApp.Path => ({
  path,
  sameOrigin: true,
  methods: new Map([["GET", route]])
})

/** The paths that the page needs, for `HttpApp`. */
export const paths = Effect.fnUntraced(function* ({
  chains,
  config,
  page,
  pseudonym,
  service,
  store,
  wallets,
  web
}: Options): Effect.fn.Return<ReadonlyArray<HttpApp.Path>, StoreError.StoreUnavailable> {
  const settings = JSON.stringify(pageConfig(config, web, chains, wallets))
  // The page's account has no API key unless the operator creates one. Until then, only visitors to the page use this
  // account.
  const { id: accountId } = yield* store.account(web.account)
  const { hold, holds, take } = RateLimits.forClients(web.limits, yield* LimitShares.LimitShares)
  const balances = Balances.make(chains)
  const { trustedProxies } = config.listen
  const identify = (request: HttpServerRequest) =>
    Effect.map(verifySameOrigin(request), () => {
      const client = clientAddress(request, trustedProxies)
      return { accountId, client, visitor: pseudonym(client) }
    })

  /** A route that reads something for a visitor, within the visitor's limits. */
  const limited =
    (
      limit: "balances" | "names",
      read: (found: Parameters<HttpApp.Route>[1]) => Effect.Effect<object, Refusal.Refusal>
    ): HttpApp.Route =>
    (call, found) =>
      Effect.gen(function* () {
        const { client } = yield* identify(call.request)
        call.headers = { ...call.headers, ...RateLimits.headersOf(yield* take(client, limit)) }
        return HttpApp.respondJson(call, JSON.stringify(yield* read(found)))
      })

  const readBalances = limited("balances", (found) =>
    Effect.map(Effect.flatMap(HttpApp.walletOf(found), balances), (held) => ({
      balances: held.map(({ amount, token }) => ({ token, amount: `${amount}` }))
    }))
  )
  const ensChain = config.chains.find(({ id }) => id === web.ens?.chainId)
  const resolve =
    web.ens !== undefined && ensChain?.kind === "evm" ? Names.make(ensChain, web.ens.registry, chains) : undefined

  return [
    ...fileRoutes(page),
    get("/web/config.json", (call) => Effect.succeed(HttpApp.respondJson(call, settings))),
    get("/web/balances", readBalances),
    ...(resolve === undefined
      ? []
      : [
          get(
            "/web/names",
            limited("names", (found) => Effect.flatMap(HttpApp.nameOf(found), resolve))
          )
        ]),
    ...HttpApp.endpoints({
      service,
      identify,
      takeLimit: take,
      holdStatus: hold,
      holds,
      prefix: "/web/api",
      sameOrigin: true
    })
  ]
})
