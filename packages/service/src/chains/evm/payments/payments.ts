/** Payments without a delegation on an EVM chain: what tokens offer, and what is read before a wallet signs. */
import { TokenAbi } from "@geoswap/contracts"
import { Payment } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { together } from "../../../concurrency/together.js"
import type { CodeAnswer, Payments } from "../../Wallet.js"
import type { EvmContext } from "../context.js"
import { addressOf } from "../transactions/vaultCalls.js"
import { bitmapCall } from "./spentPayment.js"
import * as WalletProbe from "./walletProbe.js"

const impossible = (message: string): CodeAnswer => ({ _tag: "Impossible", message })

export const make = Effect.fnUntraced(function* (
  context: EvmContext,
  allowances: Pick<Payments, "allowanceAt" | "allowanceOf">
): Effect.fn.Return<Payments> {
  const { config, quorum } = context
  const { first: reads } = quorum
  const offers = new Map(
    config.tokens.flatMap(({ address, payments }) => (payments === undefined ? [] : [[addressOf(address), payments]]))
  )
  const targets = new Map(config.payments.targets.map(({ address, codeHash }) => [addressOf(address), codeHash]))

  const domainOf = (token: string) => {
    const { name, version } = offers.get(addressOf(token)) ?? {}
    return name === undefined || version === undefined ? undefined : { name, version }
  }

  const probe = yield* WalletProbe.make(context, domainOf)

  /** Checks that the code of a target is the code that the operator has checked. */
  const isAllowed = Effect.fnUntraced(function* (target: string) {
    const expected = targets.get(addressOf(target))
    return expected !== undefined && (yield* reads.codeHashOf(addressOf(target))).toLowerCase() === expected
  })

  return {
    limits: config.payments,
    methodsOf: (token) => {
      const listed: ReadonlyArray<string> = offers.get(addressOf(token))?.methods ?? []
      return Payment.methods.filter((method) => listed.includes(method))
    },
    domainOf,
    ...allowances,
    permitNonceOf: (token, wallet) =>
      reads.read({
        abi: TokenAbi.erc2612,
        address: addressOf(token),
        functionName: "nonces",
        args: [addressOf(wallet)]
      }),
    usedIndices: (wallet, word) => reads.read(bitmapCall(wallet, word)),
    askCode: Effect.fnUntraced(function* (token, method, target) {
      if (method === "eip3009" && !(yield* probe.asksCode(token))) return { _tag: "Works", asks: false } as const
      if (!(yield* isAllowed(target))) {
        return impossible(
          `it requires that the code of the contract that the wallet delegates to, ${target}, accepts the signature, and the service does not know that code`
        )
      }
      const probes = method === "erc2612" ? (["permit2", "permit"] as const) : [method]
      const works = yield* together(probes.map((one) => probe.works(token, one, target)))
      return works.every((one) => one)
        ? ({ _tag: "Works", asks: true } as const)
        : impossible(
            `a simulation shows that the code of the contract that the wallet delegates to, ${target}, does not accept the wallet's signature`
          )
    })
  }
})
