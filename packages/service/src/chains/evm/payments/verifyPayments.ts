/** Verifies that a chain's contracts have what its configured payment methods need. */
import { Permit2, TokenAbi } from "@geoswap/contracts"
import { hashDomain, hashPermit2Domain } from "@geoswap/core/adapters"
import * as Effect from "effect/Effect"
import { keccak256 } from "viem"
import { together } from "../../../concurrency/together.js"
import type * as Config from "../../../config/Config.js"
import type { ChainUnavailable } from "../../ChainError.js"
import type { Reads } from "../nodes/reads.js"
import { addressOf } from "../transactions/vaultCalls.js"

type Problems = Effect.Effect<ReadonlyArray<string>, ChainUnavailable>

/** The checks for a chain. There are none if nothing is configured. `where` names the chain in messages. */
export const checks = (reads: Reads, config: Config.EvmChain, where: string): ReadonlyArray<Problems> => {
  const separatorOf = (contract: string) =>
    reads.askContract({
      abi: TokenAbi.domain,
      address: addressOf(contract),
      functionName: "DOMAIN_SEPARATOR",
      args: []
    })

  const permit2 = Effect.gen(function* () {
    const [code, separator] = yield* together([reads.codeOf(addressOf(Permit2.address)), separatorOf(Permit2.address)])
    if (code === "0x") {
      return [
        `${where}: there is no Permit2 at ${Permit2.address}. Remove payments.permit2 and the methods that use it.`
      ]
    }
    return separator === hashPermit2Domain(config.id, keccak256)
      ? []
      : [`${where}: Permit2 has another EIP-712 domain than expected, so no signature would be valid.`]
  })

  const target = Effect.fnUntraced(function* ({ address, codeHash }: Config.Target) {
    const found = yield* reads.codeHashOf(addressOf(address))
    return found.toLowerCase() === codeHash.toLowerCase()
      ? []
      : [`${where}: expected the code of the payment target ${address} to have the hash ${codeHash}, got ${found}.`]
  })

  const domain = Effect.fnUntraced(function* ({ address, payments, symbol }: Config.Token) {
    const { name, version } = payments ?? {}
    if (name === undefined || version === undefined) return []
    const found = yield* separatorOf(address)
    if (found === undefined) return [`${where}: ${symbol} has no DOMAIN_SEPARATOR(), so it cannot have payments.name.`]
    return found === hashDomain({ name, version }, config.id, addressOf(address), keccak256)
      ? []
      : [
          `${where}: the EIP-712 domain of ${symbol} differs from payments.name "${name}" and payments.version "${version}".`
        ]
  })

  /** Checks that a token has the functions of its methods. What they do must be tested on a fork (see contracts.md). */
  const functions = Effect.fnUntraced(function* ({ address, payments, symbol }: Config.Token) {
    const token = addressOf(address)
    const zero = `0x${"00".repeat(32)}` as const
    const has = {
      eip3009: reads.askContract({
        abi: TokenAbi.eip3009,
        address: token,
        functionName: "authorizationState",
        args: [token, zero]
      }),
      erc2612: reads.askContract({ abi: TokenAbi.erc2612, address: token, functionName: "nonces", args: [token] }),
      permit2: Effect.succeed(true)
    }
    const missing = yield* Effect.filter(payments?.methods ?? [], (method) =>
      Effect.map(has[method] as Effect.Effect<unknown, ChainUnavailable>, (answer) => answer === undefined)
    )
    return missing.map((method) => `${where}: ${symbol} does not support ${method}. Remove it from payments.methods.`)
  })

  const paid = config.tokens.filter(({ payments }) => payments !== undefined)
  return [
    ...(config.payments.permit2 ? [permit2] : []),
    ...config.payments.targets.map(target),
    ...paid.map(domain),
    ...paid.map(functions)
  ]
}
