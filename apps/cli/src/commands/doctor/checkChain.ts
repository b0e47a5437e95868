/** Checks one chain: pinned contracts, tokens, delegation and balance. */
import { Chain } from "@geoswap/core"
import { keccak256 } from "@geoswap/core/adapters"
import * as Effect from "effect/Effect"
import { formatDelegation, readDelegation } from "../../chains/delegation.js"
import { formatAmount, type KnownChain, pinCommand } from "../../chains/Directory.js"
import { readBalances, readChain } from "../../chains/nodes.js"
import type { Settings } from "../../config/Settings.js"
import { checkAccounts } from "./checkAccounts.js"
import { fail, type Finding, ok, orFail, warn } from "./finding.js"

const pinNext = "Get the addresses from a source you trust and pin them: geoswap init --deployment <file>"

/** Reads the hashes of the code at these addresses (`undefined` if there is no code). */
const readCodeHashes = (chain: KnownChain, rpcUrl: string, addresses: ReadonlyArray<string>) =>
  readChain(chain, rpcUrl, (reader) => {
    const accountCode = "accountCode" in reader ? reader.accountCode : undefined
    return accountCode === undefined
      ? Effect.succeed([])
      : Effect.forEach(addresses, (address) =>
          Effect.map(accountCode({ chainId: chain.id, address }), (code) =>
            code === "0x" ? undefined : keccak256(Buffer.from(code.slice(2), "hex"))
          )
        )
  })

/** Compares an EVM chain's pinned contracts with the code that its node returns. */
const checkCode = Effect.fnUntraced(function* (chain: KnownChain, rpcUrl: string, settings: Settings) {
  const about = `${chain.name}: contracts`
  const deployment = settings.deployments[chain.id] ?? { vault: "" }
  const { codeHash, delegates = [], older = [], vault } = deployment
  const others = [vault, ...older.flatMap((one) => [one.delegate, one.vault])]
  const hashes = yield* readCodeHashes(chain, rpcUrl, [...delegates, ...others])
  if (hashes.includes(undefined)) {
    return [fail(about, "a pinned address has no code", "Ask the operator for the correct addresses and pin them.")]
  }
  const codes = hashes.slice(0, delegates.length)
  const olderCodes = older.map((one, at) => [hashes[delegates.length + 1 + 2 * at], one.codeHash] as const)
  const pairs = [...codes.map((code) => [code, codeHash] as const), ...olderCodes]
  const accounts = yield* checkAccounts(chain, rpcUrl, deployment)
  if (pairs.some(([code, pinned]) => pinned !== undefined && code?.toLowerCase() !== pinned.toLowerCase())) {
    return [
      fail(about, "a delegate's code does not match the pinned codeHash", "Do not sign. Contact the operator."),
      ...accounts
    ]
  }
  if (codeHash !== undefined) return [ok(about, "pinned, and the code matches"), ...accounts]
  return [
    settings.devnetFile === undefined
      ? warn(about, "pinned, but there is no codeHash to compare with", `The delegate's code hash is ${codes[0]}.`)
      : ok(about, "pinned and deployed"),
    ...accounts
  ]
})

const checkDeployment = (chain: KnownChain, settings: Settings): Effect.Effect<ReadonlyArray<Finding>> => {
  const about = `${chain.name}: contracts`
  const pinned = settings.deployments[chain.id]
  if (pinned === undefined)
    return Effect.succeed([warn(about, "none pinned, so nothing can be signed on this chain", pinNext)])
  if (chain.kind === "evm" && (pinned.delegates ?? []).length === 0) {
    return Effect.succeed([fail(about, "no delegate is pinned", pinNext)])
  }
  if (chain.kind === "solana") return Effect.succeed([ok(about, "pinned")])
  if (chain.rpcUrl === undefined) {
    return Effect.succeed([
      warn(
        about,
        "pinned, but not compared with the chain",
        `Set chains.${chain.id}.rpcUrl to compare the contracts with the chain.`
      )
    ])
  }
  return orFail(about, checkCode(chain, chain.rpcUrl, settings))
}

const checkDelegation = (chain: KnownChain, wallet: string) =>
  orFail(
    `${chain.name}: delegation`,
    Effect.map(readDelegation(chain, wallet), (state) => {
      const found = formatDelegation(state)
      const about = `${chain.name}: delegation`
      if (state.pinned === false)
        return [fail(about, found, "Do not sign. Ask the operator which contract is correct.")]
      return state.delegated || state.contract !== undefined
        ? [ok(about, found)]
        : [warn(about, found, "To list the ways to pay with a token, run 'geoswap quote'. Or use another wallet.")]
    })
  )

const checkBalance = (chain: KnownChain, wallet: string): Effect.Effect<ReadonlyArray<Finding>> => {
  const about = `${chain.name}: balance`
  const { rpcUrl } = chain
  if (rpcUrl === undefined) {
    return Effect.succeed([
      warn(about, "not read because no node is configured", `Set chains.${chain.id}.rpcUrl to read the balance.`)
    ])
  }
  return orFail(
    about,
    Effect.map(readBalances(chain, rpcUrl, wallet, chain.tokens), (balances) => {
      // The native token cannot be the input of a swap, so its balance is ignored.
      const held = balances.filter(({ amount, token }) => amount > 0n && !token.native)
      return held.length === 0
        ? [warn(about, "no tokens to swap", `Send a token to ${wallet}.`)]
        : [ok(about, held.map(({ amount, token }) => formatAmount(amount, token)).join(", "))]
    })
  )
}

/** Compares the decimals that the service claims with the pinned decimals. Only the pinned decimals are ever used. */
const checkTokens = (chain: KnownChain): ReadonlyArray<Finding> => {
  const about = `${chain.name}: tokens`
  const mismatches = chain.disputed.map(
    ({ decimals, token }) =>
      `wrong decimals for ${token.symbol}: expected ${token.decimals} (pinned), got ${decimals} from the service`
  )
  if (mismatches.length > 0) {
    return [
      fail(
        about,
        mismatches.join("; "),
        "Do not swap on this chain. Check the decimals in a block explorer, and contact the operator."
      )
    ]
  }
  const pinned = chain.tokens.filter(({ native }) => !native).map(({ symbol }) => symbol)
  return [
    pinned.length > 0
      ? ok(about, `pinned: ${pinned.join(", ")}`)
      : warn(
          about,
          "none pinned, so amounts are in each token's smallest unit",
          `Pin one: ${pinCommand(chain, "<token>")}`
        )
  ]
}

/** Checks one chain and, if the wallet's address is known, the wallet on that chain. */
export const checkChain = (chain: KnownChain, wallet: string | undefined, settings: Settings) =>
  Effect.gen(function* () {
    const known = wallet !== undefined && Chain.isAddress(chain.kind, wallet) ? wallet : undefined
    return [
      ...(yield* checkDeployment(chain, settings)),
      ...checkTokens(chain),
      ...(known !== undefined && chain.kind === "evm" ? yield* checkDelegation(chain, known) : []),
      ...(known !== undefined ? yield* checkBalance(chain, known) : [])
    ]
  })
