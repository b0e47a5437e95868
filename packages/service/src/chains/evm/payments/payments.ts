/** Payments without a delegation on an EVM chain: what tokens offer, and what is read before a wallet signs. */
import { TokenAbi } from "@geoswap/contracts"
import { Payment } from "@geoswap/core"
import * as Effect from "effect/Effect"
import type * as Config from "../../../config/Config.js"
import type { ChainUnavailable } from "../../ChainError.js"
import type { CodeAnswer, PaymentMethod, Payments } from "../../Wallet.js"
import type { Reads } from "../nodes/reads.js"
import type { Ask } from "../nodes/rpcNodes.js"
import { addressOf } from "../transactions/vaultCalls.js"
import { bitmapCall } from "./spentPayment.js"
import * as WalletProbe from "./walletProbe.js"

const impossible = (message: string): CodeAnswer => ({ _tag: "Impossible", message })

export const make: (options: {
  readonly ask: Ask
  readonly balances: Pick<Payments, "allowanceAt" | "allowanceOf">
  readonly reads: Reads
  readonly config: Config.EvmChain
  /** The current gas price. */
  readonly price: Effect.Effect<bigint, ChainUnavailable>
}) => Effect.Effect<Payments> = Effect.fnUntraced(function* ({ ask, balances, config, price, reads }) {
  const offers = new Map(
    config.tokens.flatMap(({ address, payments }) => (payments === undefined ? [] : [[addressOf(address), payments]]))
  )
  const targets = new Map(config.payments.targets.map(({ address, codeHash }) => [addressOf(address), codeHash]))

  const domainOf = (token: string) => {
    const { name, version } = offers.get(addressOf(token)) ?? {}
    return name === undefined || version === undefined ? undefined : { name, version }
  }

  const probe = yield* WalletProbe.make({
    ask,
    chainId: config.id,
    vault: addressOf(config.vaults[0].address),
    domainOf,
    price
  })

  /** Checks that the code of a target is the code that the operator has checked. */
  const isAllowed = Effect.fnUntraced(function* (target: string) {
    const expected = targets.get(addressOf(target))
    return expected !== undefined && (yield* reads.codeHashOf(addressOf(target), "latest")).toLowerCase() === expected
  })

  return {
    limits: config.payments,
    methodsOf: (token) => {
      const listed: ReadonlyArray<string> = offers.get(addressOf(token))?.methods ?? []
      return Payment.methods.filter((method) => listed.includes(method))
    },
    domainOf,
    allowanceOf: balances.allowanceOf,
    allowanceAt: balances.allowanceAt,
    permitNonceOf: (token, wallet) =>
      reads.read({
        abi: TokenAbi.erc2612,
        address: addressOf(token),
        functionName: "nonces",
        args: [addressOf(wallet)]
      }),
    usedIndices: (wallet, word) => reads.read(bitmapCall(wallet, word)),
    askCode: Effect.fnUntraced(function* (token: string, method: PaymentMethod, target: string) {
      if (method === "eip3009" && !(yield* probe.asksCode(token))) return { _tag: "Works", asks: false } as const
      if (!(yield* isAllowed(target))) {
        return impossible(
          `it requires that the code of the contract that the wallet delegates to, ${target}, accepts the signature, and the service does not know that code`
        )
      }
      const probes = method === "erc2612" ? (["permit2", "permit"] as const) : [method]
      const works = yield* Effect.forEach(probes, (one) => probe.works(token, one, target), {
        concurrency: "unbounded"
      })
      return works.every((one) => one)
        ? ({ _tag: "Works", asks: true } as const)
        : impossible(
            `a simulation shows that the code of the contract that the wallet delegates to, ${target}, does not accept the wallet's signature`
          )
    })
  }
})
