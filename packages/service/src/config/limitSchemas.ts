/** The configuration of rate limits. */
import * as Schema from "effect/Schema"
import { Rate, whole, withDefault } from "./fieldSchemas.js"

const Bucket = Schema.Struct({ perSecond: Rate, burst: whole(1, 1_000_000) })

/** The size of a token bucket, with its default. */
const bucket = (perSecond: number, burst: number) => withDefault(Bucket, { perSecond, burst })

/** The limits for accounts. */
export const Limits = Schema.Struct({
  quote: bucket(10, 20),
  /** Quotes without a token, which are cached. */
  indicative: bucket(20, 40),
  delegation: bucket(10, 20),
  build: bucket(10, 20),
  submit: bucket(10, 20),
  changeDelegation: bucket(10, 20),
  status: bucket(20, 40),
  chains: bucket(10, 20),
  /** The limit for requests without a valid key, by network address. */
  failedAuth: bucket(1, 20),
  /** The maximum number of concurrent long-polling status requests per account. */
  heldPerAccount: withDefault(whole(1, 1_000_000), 1_000)
})
export type Limits = typeof Limits.Type

/** The combined limits for all visitors to the page. */
const TotalLimits = Schema.Struct({
  quote: bucket(50, 200),
  /** Quotes without a token, which are cached. */
  indicative: bucket(100, 400),
  delegation: bucket(50, 200),
  build: bucket(20, 100),
  submit: bucket(20, 100),
  changeDelegation: bucket(20, 100),
  status: bucket(200, 800),
  chains: bucket(50, 200),
  balances: bucket(50, 200),
  names: bucket(20, 100)
})

/** The limits for each visitor to the page, by network address. */
export const ClientLimits = Schema.Struct({
  quote: bucket(1, 15),
  /** Quotes without a token, which are cached. */
  indicative: bucket(2, 20),
  delegation: bucket(1, 15),
  build: bucket(1, 10),
  submit: bucket(1, 10),
  /** All visitors share the account's gas budget, so none of them may use most of it: this allows about 12 per day. */
  changeDelegation: bucket(0.0001, 4),
  status: bucket(2, 20),
  chains: bucket(1, 10),
  balances: bucket(2, 20),
  names: bucket(1, 10),
  /** The maximum number of concurrent long-polling status requests per address. */
  heldPerClient: withDefault(whole(1, 1_000_000), 8),
  /** The combined limits for all visitors, who share one account. */
  total: withDefault(TotalLimits, {})
})
export type ClientLimits = typeof ClientLimits.Type
