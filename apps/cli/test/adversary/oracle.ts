/**
 * Decides whether signatures are within a policy, without any code of the program: from the rules, from what the service
 * sent, and from what a person approved. Hashes are computed with ox.
 */
import { digestOf, library } from "../../../../tooling/testing/evm/chainLibrary.js"
import { digestOfData, hashTerms } from "../../../../tooling/testing/evm/paymentLibrary.js"
import type { AgentRules } from "../../src/agent/PolicyFile.js"
import type { Signed } from "./signatures.js"

type Fields = Readonly<Record<string, unknown>>

/** The limit that a signature breaks. */
export interface Violation {
  readonly limit: string
  readonly found: string
}

/** What a person saw and approved. */
export interface Grant {
  readonly terms: {
    readonly originChain: number
    readonly destinationChain: number
    readonly inputToken: string
    readonly outputToken: string
    readonly amount: string
    readonly recipient: string
    readonly minOutput: string
    readonly feeBps: number
  }
  readonly from: number
  readonly until: number
}

/** A quote as the program received it. */
interface SentQuote {
  readonly request: Fields
  readonly quote: Fields
}

/** What a signature pays, and under which terms. */
interface Paid {
  /** Two signatures with the same key cannot both be executed. */
  readonly key: string
  readonly chainId: number
  readonly token: string
  readonly amount: bigint
  readonly vault: string
  readonly delegate: string | undefined
  readonly deadline: number
  readonly destination: number
  readonly outputToken: string
  readonly recipient: string
  readonly minOutput: bigint
  readonly sent: SentQuote
}

const low = (value: unknown): string => String(value).toLowerCase()
const unwrap = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "amount" in value ? value.amount : value
const units = (value: unknown): bigint => {
  const text = String(unwrap(value))
  return /^\d+$/.test(text) ? BigInt(text) : -1n
}
/** An address in a 32-byte word. */
const inWord = (word: unknown): string => `0x${low(word).slice(-40)}`

const zero = `0x${"0".repeat(40)}`
const permit2 = "0x000000000022d473030f116ddee9f6b43ac78ba3"
const windows = { hour: 3_600_000, day: 86_400_000, total: Infinity }

/** The longest lifetime of an operation, with the seconds that a slow machine needs to sign it. */
const lifetime = 180

/** `text` as a fraction. */
const fraction = (text: string): readonly [bigint, bigint] => {
  const [whole = "0", decimals = ""] = text.split(".")
  return [BigInt(whole + decimals), 10n ** BigInt(decimals.length)]
}

/** An oracle for one wallet. */
export class Oracle {
  /** Everything that was signed. */
  readonly signed: Array<{ readonly at: number; readonly signed: Signed }> = []
  readonly violations: Array<Violation> = []
  private readonly quotes = new Map<string, SentQuote>()
  private readonly operations = new Map<string, { readonly geoOp: Fields; readonly quoteToken: string }>()
  private readonly payments: Array<{ readonly payment: Fields; readonly quoteToken: string }> = []
  private readonly grants: Array<Grant & { usedBy?: string }> = []
  private readonly paid = new Map<string, Paid & { readonly at: number; readonly approved: boolean }>()

  private readonly rules: AgentRules
  private readonly now: () => number

  constructor(rules: AgentRules, now: () => number) {
    this.rules = rules
    this.now = now
  }

  /** How many swaps have been signed. */
  get swaps(): number {
    return this.paid.size
  }

  /** How much of each budget has been spent, and how many swaps were signed in the last hour. */
  usage() {
    const at = this.now()
    const recent = (window: keyof typeof windows) =>
      [...this.paid.values()].filter((one) => one.at > at - windows[window])
    return {
      swaps: recent("hour").length,
      budgets: this.rules.budgets.map(({ amount, chainId, token, window }) => ({
        window,
        left:
          BigInt(amount) -
          recent(window)
            .filter((one) => one.chainId === chainId && one.token === low(token))
            .reduce((sum, one) => sum + one.amount, 0n)
      }))
    }
  }

  quoted(request: Fields, quote: Fields): void {
    this.quotes.set(String(quote["geoQuoteToken"]), { request, quote })
  }

  built(request: Fields, answer: Fields): void {
    const quoteToken = String(request["geoQuoteToken"])
    const { geoOp, payment } = answer as { geoOp?: Fields; payment?: Fields }
    if (payment !== undefined) this.payments.push({ payment, quoteToken })
    if (geoOp === undefined) return
    try {
      const number = (field: string) => Number(geoOp[field])
      const digest = digestOf({
        ...(geoOp as never as Parameters<typeof digestOf>[0]),
        chainId: number("chainId"),
        deadline: number("deadline"),
        amount: BigInt(String(geoOp["amount"])),
        nonce: BigInt(String(geoOp["nonce"]))
      })
      this.operations.set(digest, { geoOp, quoteToken })
    } catch {
      // It cannot be encoded, so it cannot be signed either. A signature of another hash is a violation.
    }
  }

  granted(grant: Grant): void {
    this.grants.push(grant)
  }

  /** Judges a signature at the moment at which it is made. */
  judge(signed: Signed): void {
    const at = this.now()
    this.signed.push({ at, signed })
    const broken = (limit: string, found: string) => void this.violations.push({ limit, found })
    switch (signed.kind) {
      case "other":
        return broken("kind", signed.what)
      case "authorization":
        return this.judgeAuthorization(signed, broken)
      case "message":
        return this.judgeOperation(signed.raw, at, broken)
      case "typedData":
        return this.judgeTypedData(signed.data, at, broken)
    }
  }

  /** Judges a signature over the digest of an operation, in either form. */
  private judgeOperation(digest: string, at: number, broken: (limit: string, found: string) => void): void {
    const { geoOp, quoteToken } = this.operations.get(digest) ?? {}
    if (geoOp === undefined) return broken("operation", `an unknown hash ${digest}`)
    const terms = this.termsOf(geoOp["terms"], quoteToken ?? "")
    if (terms === undefined) return broken("terms", "terms of no quote")
    return this.judgePayment(
      {
        ...terms,
        key: [geoOp["chainId"], low(geoOp["wallet"]), low(geoOp["delegate"]), String(geoOp["nonce"])].join(" "),
        chainId: Number(geoOp["chainId"]),
        token: low(geoOp["token"]),
        amount: units(geoOp["amount"]),
        vault: low(geoOp["vault"]),
        delegate: low(geoOp["delegate"]),
        deadline: Number(geoOp["deadline"])
      },
      low(geoOp["wallet"]),
      at,
      broken
    )
  }

  private judgeAuthorization(
    { address, chainId }: { readonly address: string; readonly chainId: number },
    broken: (limit: string, found: string) => void
  ): void {
    const delegates = this.rules.deployments[String(chainId)]?.delegates ?? []
    if (!this.rules.chains.includes(chainId)) broken("chains", `an authorization on ${chainId}`)
    // The zero address removes a delegation.
    if (low(address) !== zero && !delegates.some((delegate) => low(delegate) === low(address))) {
      broken("delegates", address)
    }
  }

  /** Finds the terms behind a hash, among all quotes that the service sent, the one of the build call first. */
  private termsOf(terms: unknown, quoteToken: string) {
    const first = this.quotes.get(quoteToken)
    for (const sent of [...(first === undefined ? [] : [first]), ...this.quotes.values()]) {
      const { request, quote } = sent
      const minOutput = units(quote["minOutput"])
      const recipient = String(request["recipient"] ?? request["walletAddress"])
      const [destination, outputToken] = [Number(request["destinationChain"]), String(request["outputToken"])]
      if (minOutput < 0n) continue
      const found = hashTerms({ destinationChain: destination, outputToken, recipient, minOutput })
      if (found === low(terms)) {
        return { destination, outputToken: low(outputToken), recipient: low(recipient), minOutput, sent }
      }
    }
    return undefined
  }

  private judgeTypedData(data: Fields, at: number, broken: (limit: string, found: string) => void): void {
    const { domain, message, primaryType } = data as {
      readonly domain: Fields
      readonly message: Fields
      readonly primaryType: string
    }
    if (primaryType === "GeoOp") return this.judgeOperation(digestOfData(data), at, broken)
    const chainId = Number(domain["chainId"])
    const common = { chainId, delegate: undefined }
    if (primaryType === "ReceiveWithAuthorization") {
      const found = this.payments.find(
        ({ payment }) => library.payments?.hashOrder(payment as never) === low(message["nonce"])
      )
      const terms = found && this.termsOf(found.payment["terms"], found.quoteToken)
      if (terms === undefined) return broken("terms", "terms of no quote")
      const token = low(domain["verifyingContract"])
      return this.judgePayment(
        {
          ...terms,
          ...common,
          key: ["eip3009", chainId, token, low(message["nonce"])].join(" "),
          token,
          amount: units(message["value"]),
          vault: low(message["to"]),
          deadline: Number(message["validBefore"])
        },
        low(message["from"]),
        at,
        broken
      )
    }
    if (primaryType === "PermitWitnessTransferFrom") {
      const { permitted, witness } = message as { readonly permitted: Fields; readonly witness: Fields }
      const { terms } = witness as { readonly terms: Fields }
      const found = this.payments.find(({ payment }) => low(payment["orderId"]) === low(witness["orderId"]))
      const sent = found && this.quotes.get(found.quoteToken)
      if (sent === undefined) return broken("terms", "terms of no quote")
      if (low(domain["verifyingContract"]) !== permit2) broken("delegates", "another contract than Permit2")
      return this.judgePayment(
        {
          ...common,
          key: ["permit2", chainId, String(message["nonce"])].join(" "),
          token: low(permitted["token"]),
          amount: units(permitted["amount"]),
          vault: low(message["spender"]),
          deadline: Number(message["deadline"]),
          destination: Number(terms["destinationChain"]),
          outputToken: inWord(terms["outputToken"]),
          recipient: inWord(terms["recipient"]),
          minOutput: units(terms["minOutput"]),
          sent
        },
        low(witness["wallet"]),
        at,
        broken
      )
    }
    if (primaryType !== "Permit") return broken("kind", `typed data ${primaryType}`)
    // It approves Permit2 for an amount, and moves nothing without the signature above.
    const token = low(domain["verifyingContract"])
    const most = this.rules.budgets.find((budget) => budget.chainId === chainId && low(budget.token) === token)
    if (low(message["spender"]) !== permit2) broken("delegates", String(message["spender"]))
    if (most === undefined || units(message["value"]) > BigInt(most.amount)) broken("budgets", "a larger permit")
    if (Number(message["deadline"]) > at / 1000 + lifetime) broken("deadline", String(message["deadline"]))
  }

  private judgePayment(paid: Paid, wallet: string, at: number, broken: (limit: string, found: string) => void): void {
    const { rules } = this
    const { amount, chainId, deadline, delegate, destination, key, minOutput, outputToken, recipient, token, vault } =
      paid
    const { quote, request } = paid.sent
    const pinned = (on: number, address: string) =>
      rules.tokens.find((one) => one.chainId === on && low(one.address) === address)
    const deployment = rules.deployments[String(chainId)]
    if (wallet !== low(rules.wallet.address)) broken("wallet", wallet)
    for (const on of [chainId, destination]) if (!rules.chains.includes(on)) broken("chains", String(on))
    const [input, output] = [pinned(chainId, token), pinned(destination, outputToken)]
    if (!input || !output) return broken("tokens", `${token} on ${chainId}, ${outputToken} on ${destination}`)
    if (!rules.recipients.some((one) => low(one) === recipient)) broken("recipients", recipient)
    if (low(deployment?.vault) !== vault) broken("vault", vault)
    if (delegate !== undefined && !(deployment?.delegates ?? []).some((one) => low(one) === delegate)) {
      broken("delegates", delegate)
    }
    if (!(deadline <= at / 1000 + lifetime)) broken("deadline", `${deadline - at / 1000} s`)

    const slippage = Number(request["slippageBps"] ?? 500)
    if (!(slippage <= rules.maxSlippageBps)) broken("maxSlippageBps", String(slippage))
    const least = (units(quote["output"]) * BigInt(10_000 - Math.min(slippage, 10_000))) / 10_000n
    if (minOutput < least - 1n) broken("maxSlippageBps", `${minOutput} for ${String(quote["output"])}`)
    if (!(Number(quote["feeBps"]) <= rules.maxFeeBps)) broken("maxFeeBps", String(quote["feeBps"]))
    const impact = quote["priceImpactBps"]
    if (!(impact !== undefined && Number(impact) >= -rules.maxTotalCostBps)) {
      broken("maxTotalCostBps", String(impact))
    }

    const needed = this.judgePrice(paid, input, output, broken)
    const approved = this.useGrant(paid, at)
    const above = rules.approveAbove
      .filter((threshold) => threshold.chainId === chainId && low(threshold.token) === token)
      .some((threshold) => amount + this.unapproved(paid, at, threshold.window) > BigInt(threshold.amount))
    if ((needed || above) && !approved) broken("approval", `${amount} of ${input.symbol}`)

    this.paid.set(key, { ...paid, at, approved })
    for (const budget of rules.budgets) {
      if (budget.chainId !== chainId || low(budget.token) !== token) continue
      const spent = [...this.paid.values()]
        .filter((one) => one.chainId === chainId && one.token === token && one.at > at - windows[budget.window])
        .reduce((sum, one) => sum + one.amount, 0n)
      if (spent > BigInt(budget.amount)) broken("budgets", `${spent} of ${budget.amount} (${budget.window})`)
    }
    if (!rules.budgets.some((budget) => budget.chainId === chainId && low(budget.token) === token)) {
      broken("budgets", `${input.symbol} has no budget`)
    }
    const recent = [...this.paid.values()].filter((one) => one.at > at - windows.hour).length
    if (recent > rules.maxSwapsPerHour) broken("maxSwapsPerHour", String(recent))
  }

  /** Compares the minimum with the policy's own prices. Returns whether there is none. */
  private judgePrice(
    { amount, chainId, destination, minOutput, outputToken, token }: Paid,
    input: { readonly decimals: number },
    output: { readonly decimals: number },
    broken: (limit: string, found: string) => void
  ): boolean {
    const pairs = this.rules.pairs.filter(
      (pair) =>
        pair.input.chainId === chainId &&
        low(pair.input.token) === token &&
        pair.output.chainId === destination &&
        low(pair.output.token) === outputToken
    )
    const [inputUnit, outputUnit] = [10n ** BigInt(input.decimals), 10n ** BigInt(output.decimals)]
    for (const pair of pairs) {
      if ("minRate" in pair) {
        const [rate, scale] = fraction(pair.minRate)
        if (minOutput * inputUnit * scale < amount * rate * outputUnit) broken("minRate", `${minOutput} for ${amount}`)
      } else if ("usd" in pair.prices.input && "usd" in pair.prices.output) {
        const [paid, paidScale] = fraction(pair.prices.input.usd)
        const [received, receivedScale] = fraction(pair.prices.output.usd)
        const worth = minOutput * received * inputUnit * paidScale * 10_000n
        const needed = amount * paid * outputUnit * receivedScale * BigInt(10_000 - pair.maxLossBps)
        if (worth < needed) broken("prices", `${minOutput} for ${amount}`)
      }
    }
    return pairs.length === 0
  }

  /** How much of a swap's token other swaps of a window paid without an approval. */
  private unapproved({ chainId, key, token }: Paid, at: number, window: "hour" | "day" | undefined): bigint {
    if (window === undefined) return 0n
    return [...this.paid.values()]
      .filter((one) => one.key !== key && one.chainId === chainId && one.token === token)
      .filter((one) => !one.approved && one.at > at - windows[window])
      .reduce((sum, one) => sum + one.amount, 0n)
  }

  /** Uses a grant for these terms, once. */
  private useGrant(paid: Paid, at: number): boolean {
    const fitting = this.grants.filter(
      ({ from, terms, until, usedBy }) =>
        (usedBy === undefined || usedBy === paid.key) &&
        from <= at &&
        at < until &&
        terms.originChain === paid.chainId &&
        terms.destinationChain === paid.destination &&
        low(terms.inputToken) === paid.token &&
        low(terms.outputToken) === paid.outputToken &&
        BigInt(terms.amount) === paid.amount &&
        low(terms.recipient) === paid.recipient &&
        paid.minOutput >= BigInt(terms.minOutput) &&
        Number(paid.sent.quote["feeBps"]) <= terms.feeBps
    )
    // The one that this swap has used, or the one with the highest minimum, so that others remain.
    const [found] = fitting.toSorted(
      (one, other) =>
        Number(other.usedBy === paid.key) - Number(one.usedBy === paid.key) ||
        Number(BigInt(other.terms.minOutput) - BigInt(one.terms.minOutput))
    )
    if (found !== undefined) found.usedBy = paid.key
    return found !== undefined
  }
}
