/**
 * `POST /swap/change-delegation` and `GET /swap/delegation-status/{changeId}`: set or remove a wallet's delegation
 * without a swap. The executor sends the accepted changes.
 */
import { Chain as CoreChain, Delegation } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { EvmChain } from "../chains/Chains.js"
import { chainOfWallet } from "../chains/Directory.js"
import { type DelegationChange, isTerminal } from "../domain/DelegationChange.js"
import { refuse } from "../domain/Refusal.js"
import type { GasBudget } from "../store/delegations/DelegationStore.js"
import { call } from "./call.js"
import { checkAuthorization } from "./delegation.js"
import type { Dependencies } from "./Dependencies.js"

/** The period that the gas budget applies to. */
const dayMillis = 86_400_000
/** The part of the gas budget that is kept for wallets that have paid for a swap and remove their delegation. */
const keptPart = 0.25

/** How often a waiting status request reads the stored change, in milliseconds. It does not read the chain. */
const readMillis = 1_000
/** How many times a status request reads the change: it waits about 15 seconds, like a swap's status request. */
const heldReads = 15

/** Returns a change as callers see it. */
const viewOf = ({
  authorization: { chainId },
  failureCode,
  id,
  state,
  txHash,
  wallet
}: DelegationChange): Delegation.Change => ({
  changeId: id,
  status: isTerminal(state) ? state : "pending",
  chainId,
  walletAddress: wallet,
  ...(txHash !== undefined && { txHash }),
  ...(failureCode !== undefined && { failureCode })
})

const nonceUsed = () =>
  refuse(
    "NONCE_USED",
    "Another change of this wallet's delegation has the same account nonce. Call GET /swap/delegation to see the result."
  )

const budgetExceeded = (budget: GasBudget, gas: bigint, now: number, freeAt: number | undefined) =>
  freeAt === undefined
    ? refuse(
        "GAS_BUDGET_EXCEEDED",
        `This account's gas budget for delegation changes is ${budget.gas} per day, but the change needs ${gas}. Contact the operator, or change the delegation with the wallet itself.`
      )
    : refuse(
        "GAS_BUDGET_EXCEEDED",
        `This account has used up its gas budget for delegation changes, ${budget.gas} per day (${budget.kept} of it only for wallets that have swapped and remove their delegation). Try again later, or change the delegation with the wallet itself.`,
        { retryAfter: Math.max(1, Math.ceil((freeAt - now) / 1000)) }
      )

/** Checks the authorization against the chain's current state. */
const verify = Effect.fnUntraced(function* (chain: EvmChain, wallet: string, authorization: Delegation.Authorization) {
  const removes = Delegation.isZeroAddress(authorization.address)
  const state = yield* chain.walletState(wallet)
  if (state.delegation === "foreign") {
    return yield* refuse(
      "UNSUPPORTED_DELEGATION",
      `The wallet's account on ${chain.name} has other code, which the service never replaces or removes. Use the wallet or the provider that set it.`
    )
  }
  const delegate = removes ? Delegation.zeroAddress : chain.delegate
  yield* checkAuthorization(
    authorization,
    { chainId: chain.id, delegate, nonce: state.nonce, wallet },
    "Nothing was sent. Call GET /swap/delegation again, and sign a new authorization."
  )
  const isSame = removes
    ? state.delegation === "none"
    : state.delegatedTo !== undefined && CoreChain.sameAddress("evm", state.delegatedTo, chain.delegate)
  if (isSame) {
    return yield* refuse(
      "NOTHING_TO_CHANGE",
      `The wallet is already ${removes ? "not delegated" : "delegated to this contract"} on ${chain.name}.`
    )
  }
})

export const changeDelegation = ({ delegations: { gasPerDay }, directory, store }: Dependencies) =>
  call(
    "Service.changeDelegation",
    Effect.fnUntraced(function* (account: string, { authorization, walletAddress: wallet }: Delegation.ChangeRequest) {
      const { chainId, nonce } = authorization
      const chain = yield* chainOfWallet(directory.chains, { chainId, walletAddress: wallet })
      if (chain.family !== "evm") {
        return yield* refuse(
          "VALIDATION",
          "authorization.chainId: expected an EVM chain. Solana wallets are not delegated."
        )
      }
      // A repeated request returns the same change, even after the change has used the nonce.
      const known = Option.getOrUndefined(yield* store.delegations.byKey({ chainId, wallet, nonce }))
      if (known !== undefined) {
        return known.accountId === account &&
          CoreChain.sameAddress("evm", known.authorization.address, authorization.address)
          ? viewOf(known)
          : yield* nonceUsed()
      }
      yield* verify(chain, wallet, authorization)
      const { gas } = yield* chain.delegations.prepare(authorization)
      const createdAt = yield* Clock.currentTimeMillis
      const budget = { gas: gasPerDay, kept: Math.floor(gasPerDay * keptPart), periodMillis: dayMillis }
      const id = crypto.randomUUID()
      const change = { id, accountId: account, wallet, authorization, gas: Number(gas), createdAt }
      const accepted = yield* store.delegations.accept(change, budget)
      switch (accepted._tag) {
        case "Inserted":
        case "Existing":
          return viewOf(accepted.change)
        case "NonceUsed":
          return yield* nonceUsed()
        case "SwapInProgress":
          return yield* refuse(
            "SWAP_IN_PROGRESS",
            `The input of a swap of this wallet has not arrived on ${chain.name} yet. Wait until it has arrived, and try again.`,
            { retryAfter: 15 }
          )
        case "BudgetUsed":
          return yield* budgetExceeded(budget, gas, createdAt, accepted.freeAt)
      }
    })
  )

export const delegationStatus = ({ signals, store }: Pick<Dependencies, "signals" | "store">) => {
  const read = Effect.fnUntraced(function* (account: string, changeId: string) {
    const change = Option.getOrUndefined(yield* store.delegations.byId(changeId))
    // Another account's change is treated as not found, so that its existence is not revealed.
    return change?.accountId === account
      ? change
      : yield* refuse(
          "CHANGE_NOT_FOUND",
          "This account has no delegation change with that id. Use the id that change-delegation returned."
        )
  })

  return call(
    "Service.delegationStatus",
    Effect.fnUntraced(function* (account: string, changeId: string) {
      // Returns once this process has finished the change or shuts down. Another process's work shows in the store.
      const ended = Effect.as(yield* signals.subscribe(changeId), true)
      for (let reads = 1, isOver = false; ; reads++) {
        const change = yield* read(account, changeId)
        if (isOver || isTerminal(change.state) || reads > heldReads) return viewOf(change)
        isOver = yield* Effect.raceFirst(ended, Effect.as(Effect.sleep(readMillis), false))
      }
    }, Effect.scoped)
  )
}
