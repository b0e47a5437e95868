/** Verifies that a chain matches its configuration. */
import { GeoVault } from "@geoswap/contracts"
import { Hex } from "@geoswap/core"
import * as Effect from "effect/Effect"
import { erc20Abi } from "viem"
import { together } from "../../../concurrency/together.js"
import type * as Config from "../../../config/Config.js"
import { type ChainUnavailable, Misconfigured } from "../../ChainError.js"
import { askEach } from "../../quorum.js"
import type { EvmContext } from "../context.js"
import { oracleAddress } from "../fees/feeModels.js"
import type { Node } from "../nodes/nodeQuorum.js"
import * as Payments from "../payments/verifyPayments.js"
import { addressOf, isNative } from "../transactions/vaultCalls.js"

type Problems = Effect.Effect<ReadonlyArray<string>, ChainUnavailable>

/** Returns the tag if a node has no block with it, although it has blocks. Fails if the node does not respond. */
const without = Effect.fnUntraced(function* ({ blockAt }: Node, tag: "safe" | "finalized") {
  yield* blockAt("latest")
  return yield* Effect.matchEffect(blockAt(tag), {
    onSuccess: () => Effect.succeed(undefined),
    onFailure: (error) => (error.timeout ? Effect.fail(error) : Effect.succeed(tag))
  })
})

/** Creates the check, which fails with a list of all problems. */
export const make = ({ config, quorum: { askAll, first: reads, nodes }, relayers }: EvmContext) => {
  const where = `Chain ${config.id} (${config.name})`

  const identity: Problems = Effect.map(
    askAll(({ chainId, genesis }) =>
      // Some nodes do not have the first block.
      together([chainId, Effect.orElseSucceed(genesis, () => undefined)])
    ),
    (answers) => {
      const found = answers.map(({ host, value: [id, genesis] }) => ({ host, id, genesis }))
      const [first, ...others] = found.filter(({ genesis, id }) => id === BigInt(config.id) && genesis !== undefined)
      const differing = others.filter(({ genesis }) => genesis !== first?.genesis)
      return [
        ...found
          .filter(({ id }) => id !== BigInt(config.id))
          .map(({ host, id }) => {
            const node = nodes.length === 1 ? "the node" : `the node ${host}`
            return `${where}: ${node} is on chain ${id}. Set rpcUrls to nodes on chain ${config.id}.`
          }),
        ...differing.map(({ host }) => `${where}: the node ${host} has a different first block than ${first?.host}.`)
      ]
    }
  )

  const roles = Effect.fnUntraced(function* ({ address, delegate }: Config.Vault) {
    const vault = addressOf(address)
    if ((yield* reads.codeOf(vault)) === "0x") return [`${where}: there is no contract at the vault address ${vault}.`]
    const ask = (functionName: "isDelegate" | "isRelayer", who: string) =>
      reads.askContract({ abi: GeoVault.abi, address: vault, functionName, args: [addressOf(who)] })
    const [accepted, roles] = yield* together([
      ask("isDelegate", delegate),
      together(relayers.map((relayer) => ask("isRelayer", relayer)))
    ])
    if (accepted === undefined || roles.includes(undefined))
      return [`${where}: the contract at ${vault} is not a GeoSwap vault.`]
    return [
      ...(accepted ? [] : [`${where}: the vault ${vault} does not accept wallets delegated to ${delegate}.`]),
      ...relayers
        .filter((_, index) => roles[index] !== true)
        .map(
          (relayer) =>
            `${where}: ${relayer} is not a relayer for the vault ${vault}. The vault's owner can add it with setRelayer.`
        )
    ]
  })

  const token = Effect.fnUntraced(function* ({ address, decimals, symbol }: Config.Token) {
    if (!Hex.isHex(address, 20)) return [`${where}: the ${symbol} address ${address} is invalid.`]
    if (isNative(address)) return []
    const question = { abi: erc20Abi, address: addressOf(address), functionName: "decimals", args: [] } as const
    const [code, found] = yield* together([reads.codeOf(addressOf(address)), reads.askContract(question)])
    if (code === "0x") return [`${where}: there is no contract at the ${symbol} address ${address}.`]
    if (found === undefined) return [`${where}: the contract at the ${symbol} address ${address} is not a token.`]
    return found === decimals ? [] : [`${where}: ${symbol} has ${found} decimals, but ${decimals} is configured.`]
  })

  const finality: Problems = Effect.gen(function* () {
    const tags = config.finality.flatMap(({ after }) => (typeof after === "string" ? [after] : []))
    const found = yield* together([...new Set(tags)].map((tag) => askEach(nodes, (node) => without(node, tag))))
    return found.flatMap(({ answers }) =>
      answers.flatMap(({ host, value }) =>
        value === undefined
          ? []
          : [`${where}: the node ${host} has no ${value} block. Set finality to seconds, or use another node.`]
      )
    )
  })

  /** The fee for data would otherwise be 0. */
  const oracle: Problems =
    config.feeModel === "op-stack"
      ? Effect.map(reads.codeOf(addressOf(oracleAddress)), (code) =>
          code === "0x"
            ? [`${where}: there is no GasPriceOracle at ${oracleAddress}. Set feeModel to another model.`]
            : []
        )
      : Effect.succeed([])

  const all: ReadonlyArray<Problems> = [
    identity,
    finality,
    oracle,
    ...config.vaults.map(roles),
    ...config.tokens.map(token),
    ...Payments.checks(reads, config, where)
  ]
  return Effect.flatMap(together(all), (found) => {
    const problems = found.flat()
    return problems.length === 0 ? Effect.void : new Misconfigured({ problems })
  })
}
