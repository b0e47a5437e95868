/** The doctor's look at one chain: the pinned contracts, the delegation, the balances. */
import { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Balances from "../chains/Balances.js"
import { delegationOn, delegationWords } from "../commands/delegationHandler.js"
import { formatAmount, type KnownChain, pinCommand } from "../chains/Directory.js"
import type { Shape as SettingsShape } from "../config/Settings.js"
import { fail, type Finding, ok, orFail, warn } from "./finding.js"

const pinNext = "Pin it with geoswap init --deployment <file>, from a source that you trust."

/** Compares the contracts of an EVM chain with what its node says. */
const lookAtCode = Effect.fnUntraced(function* (chain: KnownChain, rpcUrl: string, settings: SettingsShape) {
  const about = `${chain.name}: contracts`
  const { codeHash, delegates = [], vault } = settings.deployments[chain.id] ?? { vault: "" }
  const seen = yield* Effect.forEach([...delegates, vault], (address) => Balances.readCode(chain, rpcUrl, address))
  const other = seen.find(({ chainId }) => chainId !== chain.id)
  if (other !== undefined) {
    return [fail(about, `the node is that of chain ${other.chainId}`, `Correct chains.${chain.id}.rpcUrl.`)]
  }
  if (seen.some((one) => one.codeHash === undefined)) {
    return [fail(about, "there is no code at a pinned address", "Ask for the right addresses, and pin those.")]
  }
  const codes = seen.slice(0, delegates.length).map((one) => one.codeHash)
  if (codeHash === undefined) {
    return [
      settings.devnetFile === undefined
        ? warn(
            about,
            "pinned, without a codeHash to compare the code with",
            `The code at the delegate has ${codes[0]}.`
          )
        : ok(about, "pinned, and there")
    ]
  }
  return [
    codes.every((code) => code?.toLowerCase() === codeHash.toLowerCase())
      ? ok(about, "pinned, and the code is the one that was pinned")
      : fail(about, "the code at a delegate is not the one that was pinned", "Do not sign. Ask the operator.")
  ]
})

const lookAtDeployment = (chain: KnownChain, settings: SettingsShape): Effect.Effect<ReadonlyArray<Finding>> => {
  const about = `${chain.name}: contracts`
  const pinned = settings.deployments[chain.id]
  if (pinned === undefined)
    return Effect.succeed([warn(about, "none is pinned, so nothing can be signed here", pinNext)])
  if (chain.kind === "evm" && (pinned.delegates ?? []).length === 0) {
    return Effect.succeed([fail(about, "no delegate is pinned", pinNext)])
  }
  if (chain.kind === "solana") return Effect.succeed([ok(about, "pinned")])
  if (chain.rpcUrl === undefined) {
    return Effect.succeed([
      warn(about, "pinned, and not compared with the chain", `Set chains.${chain.id}.rpcUrl to compare them.`)
    ])
  }
  return orFail(about, lookAtCode(chain, chain.rpcUrl, settings))
}

const lookAtDelegation = (chain: KnownChain, wallet: string) =>
  orFail(
    `${chain.name}: delegation`,
    Effect.map(delegationOn(chain, wallet), (state) => {
      const words = delegationWords(state)
      const about = `${chain.name}: delegation`
      if (state.pinned === false) return [fail(about, words, "Do not sign. Ask the operator which contract is right.")]
      return state.delegated || state.contract !== undefined
        ? [ok(about, words)]
        : [warn(about, words, "Use another wallet on this chain.")]
    })
  )

const lookAtBalance = (chain: KnownChain, wallet: string): Effect.Effect<ReadonlyArray<Finding>> => {
  const about = `${chain.name}: balance`
  const { rpcUrl } = chain
  if (rpcUrl === undefined) {
    return Effect.succeed([warn(about, "not read: no node is known", `Set chains.${chain.id}.rpcUrl to read it.`)])
  }
  return orFail(
    about,
    Effect.map(Balances.read(chain, rpcUrl, wallet, chain.tokens), (balances) => {
      // What pays is a token: the coin of the chain is not needed.
      const held = balances.filter(({ amount, token }) => amount > 0n && !token.native)
      return held.length === 0
        ? [warn(about, "no token that could be swapped", `Send one to ${wallet}.`)]
        : [ok(about, held.map(({ amount, token }) => formatAmount(amount, token)).join(", "))]
    })
  )
}

/** Compares what the service says about tokens with what is pinned: the pinned values are used in any case. */
const lookAtTokens = (chain: KnownChain): ReadonlyArray<Finding> => {
  const about = `${chain.name}: tokens`
  const wrong = chain.disputed.map(
    ({ decimals, token }) =>
      `the service says that ${token.symbol} has ${decimals} decimals, and ${token.decimals} are pinned`
  )
  if (wrong.length > 0) {
    return [fail(about, wrong.join("; "), "Do not swap here. Check both with a block explorer, and tell the operator.")]
  }
  const pinned = chain.tokens.filter(({ native }) => !native).map(({ symbol }) => symbol)
  return [
    pinned.length > 0
      ? ok(about, `pinned: ${pinned.join(", ")}`)
      : warn(about, "none is pinned, so amounts are in smallest units", `Pin one: ${pinCommand(chain, "<token>")}`)
  ]
}

/** Looks at one chain, with the wallet where its address is known. */
export const lookAtChain = (chain: KnownChain, wallet: string | undefined, settings: SettingsShape) =>
  Effect.gen(function* () {
    const known = wallet !== undefined && Chain.isAddress(chain.kind, wallet) ? wallet : undefined
    return [
      ...(yield* lookAtDeployment(chain, settings)),
      ...lookAtTokens(chain),
      ...(known !== undefined && chain.kind === "evm" ? yield* lookAtDelegation(chain, known) : []),
      ...(known !== undefined ? yield* lookAtBalance(chain, known) : [])
    ]
  })
