/** The configuration of rate limits. */
import * as Schema from "effect/Schema"
import { Rate, whole, withDefault } from "./fieldSchemas.js"

/** The size of a token bucket. */
const Bucket = Schema.Struct({
  perSecond: Rate,
  burst: whole(1, 1_000_000)
})

/** The limits for accounts. */
export const Limits = Schema.Struct({
  quote: withDefault(Bucket, { perSecond: 10, burst: 20 }),
  /** Quotes without a token, which are cached. */
  indicative: withDefault(Bucket, { perSecond: 20, burst: 40 }),
  delegation: withDefault(Bucket, { perSecond: 10, burst: 20 }),
  build: withDefault(Bucket, { perSecond: 10, burst: 20 }),
  submit: withDefault(Bucket, { perSecond: 10, burst: 20 }),
  changeDelegation: withDefault(Bucket, { perSecond: 10, burst: 20 }),
  status: withDefault(Bucket, { perSecond: 20, burst: 40 }),
  chains: withDefault(Bucket, { perSecond: 10, burst: 20 }),
  /** The limit for requests without a valid key, by network address. */
  failedAuth: withDefault(Bucket, { perSecond: 1, burst: 20 }),
  /** The maximum number of concurrent long-polling status requests per account. */
  heldPerAccount: withDefault(whole(1, 1_000_000), 1_000)
})
export type Limits = typeof Limits.Type

/** The combined limits for all visitors to the page. */
const TotalLimits = Schema.Struct({
  quote: withDefault(Bucket, { perSecond: 50, burst: 200 }),
  /** Quotes without a token, which are cached. */
  indicative: withDefault(Bucket, { perSecond: 100, burst: 400 }),
  delegation: withDefault(Bucket, { perSecond: 50, burst: 200 }),
  build: withDefault(Bucket, { perSecond: 20, burst: 100 }),
  submit: withDefault(Bucket, { perSecond: 20, burst: 100 }),
  changeDelegation: withDefault(Bucket, { perSecond: 20, burst: 100 }),
  status: withDefault(Bucket, { perSecond: 200, burst: 800 }),
  chains: withDefault(Bucket, { perSecond: 50, burst: 200 }),
  balances: withDefault(Bucket, { perSecond: 50, burst: 200 }),
  names: withDefault(Bucket, { perSecond: 20, burst: 100 })
})

/** The limits for each visitor to the page, by network address. */
export const ClientLimits = Schema.Struct({
  quote: withDefault(Bucket, { perSecond: 1, burst: 15 }),
  /** Quotes without a token, which are cached. */
  indicative: withDefault(Bucket, { perSecond: 2, burst: 20 }),
  delegation: withDefault(Bucket, { perSecond: 1, burst: 15 }),
  build: withDefault(Bucket, { perSecond: 1, burst: 10 }),
  submit: withDefault(Bucket, { perSecond: 1, burst: 10 }),
  /** All visitors share the account's gas budget, so none of them may use most of it: this allows about 12 per day. */
  changeDelegation: withDefault(Bucket, { perSecond: 0.0001, burst: 4 }),
  status: withDefault(Bucket, { perSecond: 2, burst: 20 }),
  chains: withDefault(Bucket, { perSecond: 1, burst: 10 }),
  balances: withDefault(Bucket, { perSecond: 2, burst: 20 }),
  names: withDefault(Bucket, { perSecond: 1, burst: 10 }),
  /** The maximum number of concurrent long-polling status requests per address. */
  heldPerClient: withDefault(whole(1, 1_000_000), 8),
  /** The combined limits for all visitors, who share one account. */
  total: withDefault(TotalLimits, {})
})
export type ClientLimits = typeof ClientLimits.Type
