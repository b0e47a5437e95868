/** Checks one chain: pinned contracts, tokens, delegation and balance. */
import { Chain } from "@geoswap/core"
import { keccak256 } from "@geoswap/core/adapters"
import * as Effect from "effect/Effect"
import { formatDelegation, readDelegation } from "../../chains/delegation.js"
import { formatAmount, type KnownChain, pinCommand } from "../../chains/Directory.js"
import { readBalances, readChain } from "../../chains/nodes.js"
import type { Settings } from "../../config/Settings.js"
import { checkAccounts } from "./checkAccounts.js"
import { findingsOn, orFail } from "./finding.js"

const pinNext = "Get the addresses from a source you trust and pin them: geoswap init --deployment <file>"

/** Compares an EVM chain's pinned contracts with the code that its node returns. */
const checkContracts = Effect.fnUntraced(function* (chain: KnownChain, { deployments, devnetFile }: Settings) {
  const { fail, ok, warn } = findingsOn(`${chain.name}: contracts`)
  const { id, family, rpcUrl } = chain
  const deployment = deployments[id]
  if (deployment === undefined) return warn("none pinned, so nothing can be signed on this chain", pinNext)
  if (family === "solana") return ok("pinned")
  const { codeHash, delegates = [], older = [], vault } = deployment
  if (delegates.length === 0) return fail("no delegate is pinned", pinNext)
  if (rpcUrl === undefined) {
    return warn(
      "pinned, but not compared with the chain",
      `Set chains.${id}.rpcUrl to compare the contracts with the chain.`
    )
  }
  const pins = [
    ...delegates.map((address) => ({ address, pinned: codeHash })),
    ...older.map(({ codeHash: pinned, delegate }) => ({ address: delegate, pinned })),
    ...[vault, ...older.map((one) => one.vault)].map((address) => ({ address, pinned: undefined }))
  ]
  const codes = yield* readChain(chain, rpcUrl, (reader) => {
    const accountCode = "accountCode" in reader ? reader.accountCode : undefined
    if (accountCode === undefined) return Effect.succeed([])
    return Effect.forEach(pins, ({ address, pinned }) =>
      Effect.map(accountCode({ chainId: id, address }), (code) => ({
        pinned: pinned?.toLowerCase(),
        hash: code === "0x" ? undefined : keccak256(Buffer.from(code.slice(2), "hex"))
      }))
    )
  })
  if (codes.some(({ hash }) => hash === undefined)) {
    return fail("a pinned address has no code", "Ask the operator for the correct addresses and pin them.")
  }
  const accounts = yield* checkAccounts(chain, rpcUrl, deployment)
  const contracts = codes.some(({ hash, pinned }) => pinned !== undefined && hash !== pinned)
    ? fail("a delegate's code does not match the pinned codeHash", "Do not sign. Contact the operator.")
    : codeHash !== undefined
      ? ok("pinned, and the code matches")
      : devnetFile !== undefined
        ? ok("pinned and deployed")
        : warn("pinned, but there is no codeHash to compare with", `The delegate's code hash is ${codes[0]?.hash}.`)
  return [...contracts, ...accounts]
})

const checkDelegation = Effect.fnUntraced(function* (chain: KnownChain, wallet: string) {
  const { fail, ok, warn } = findingsOn(`${chain.name}: delegation`)
  const state = yield* readDelegation(chain, wallet)
  const found = formatDelegation(state)
  if (state.pinned === false) return fail(found, "Do not sign. Ask the operator which contract is correct.")
  return state.delegated || state.contract !== undefined
    ? ok(found)
    : warn(found, "To list the ways to pay with a token, run 'geoswap quote'. Or use another wallet.")
})

const checkBalance = Effect.fnUntraced(function* (chain: KnownChain, wallet: string) {
  const { ok, warn } = findingsOn(`${chain.name}: balance`)
  const { id, rpcUrl, tokens } = chain
  if (rpcUrl === undefined) {
    return warn("not read because no node is configured", `Set chains.${id}.rpcUrl to read the balance.`)
  }
  // The native token cannot be the input of a swap, so its balance is ignored.
  const inputs = tokens.filter(({ native }) => !native)
  const held = (yield* readBalances(chain, rpcUrl, wallet, inputs)).filter(({ amount }) => amount > 0n)
  return held.length === 0
    ? warn("no tokens to swap", `Send a token to ${wallet}.`)
    : ok(held.map(({ amount, token }) => formatAmount(amount, token)).join(", "))
})

/** Compares the decimals that the service claims with the pinned decimals. Only the pinned decimals are ever used. */
const checkTokens = (chain: KnownChain) => {
  const { fail, ok, warn } = findingsOn(`${chain.name}: tokens`)
  const mismatches = chain.disputed.map(
    ({ decimals, token }) =>
      `wrong decimals for ${token.symbol}: expected ${token.decimals} (pinned), got ${decimals} from the service`
  )
  if (mismatches.length > 0) {
    return fail(
      mismatches.join("; "),
      "Do not swap on this chain. Check the decimals in a block explorer, and contact the operator."
    )
  }
  const pinned = chain.tokens.filter(({ native }) => !native).map(({ symbol }) => symbol)
  return pinned.length > 0
    ? ok(`pinned: ${pinned.join(", ")}`)
    : warn("none pinned, so amounts are in each token's smallest unit", `Pin one: ${pinCommand(chain, "<token>")}`)
}

/** Checks one chain and, if the wallet's address is known, the wallet on that chain. */
export const checkChain = Effect.fnUntraced(function* (
  chain: KnownChain,
  wallet: string | undefined,
  settings: Settings
) {
  const { family, name } = chain
  const known = Chain.isAddress(family, wallet) ? wallet : undefined
  return [
    ...(yield* orFail(`${name}: contracts`, checkContracts(chain, settings))),
    ...checkTokens(chain),
    ...(known !== undefined && family === "evm"
      ? yield* orFail(`${name}: delegation`, checkDelegation(chain, known))
      : []),
    ...(known === undefined ? [] : yield* orFail(`${name}: balance`, checkBalance(chain, known)))
  ]
})
