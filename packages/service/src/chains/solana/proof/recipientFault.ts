/**
 * Checks whether a delivery fails because of its recipient, which is the case if the same delivery succeeds for a
 * control account in the same slot.
 */
import { Chain } from "@geoswap/core"
import { getBase58Decoder } from "@solana/kit"
import * as Effect from "effect/Effect"
import type { SendJob } from "../../../domain/Job.js"
import { askQuorum } from "../../quorum.js"
import { readAccountAt, tokenAccount } from "../accounts/tokenAccounts.js"
import { type ChainContext, isNative } from "../context.js"
import type { Node } from "../nodes/rpcNodes.js"
import { isRelayersFault, simulate, unsignedSends } from "../transactions/prepare.js"
import { write } from "../transactions/wireTransaction.js"

/** How many times to try to run all simulations in the same slot. */
const maxAttempts = 10

/**
 * Derives a recipient for the control delivery that has no token account. The recipient is unique to the order, because
 * anyone can open token accounts for any known owner.
 */
const controlOwnerFor = ({ orderId }: SendJob) =>
  Effect.promise(async () => {
    const seed = new TextEncoder().encode(`geoswap control recipient ${orderId}`)
    return getBase58Decoder().decode(new Uint8Array(await crypto.subtle.digest("SHA-256", seed)))
  })

/**
 * Returns the control delivery: the same delivery, but to an account that can receive it. Lamports go to the relayer,
 * and tokens go to the vault's own account. If the delivery may open an account, the control delivery must open one
 * too, because it is not the recipient's fault if the relayer cannot pay the rent.
 */
const controlOf = Effect.fnUntraced(function* (context: ChainContext, job: SendJob) {
  if (isNative(job.token)) return { ...job, to: context.relayer.address }
  return { ...job, to: job.opensAccount ? yield* controlOwnerFor(job) : context.vault.address }
})

/** Whether the recipient has the token account that the job pays into, and still owns it. */
const accountOf = Effect.fnUntraced(function* (
  context: ChainContext,
  node: Node,
  { opensAccount, to, token }: SendJob
) {
  // If the transaction may open the account, the transaction itself checks that account.
  if (opensAccount || isNative(token)) return undefined
  const { account, slot } = yield* readAccountAt(node, yield* context.tokenAccountOf(to, token), 0n)
  const held = tokenAccount(account)
  return { isTheirs: held?.owner === to && held.mint === token, slot }
})

export const recipientAtFault = Effect.fnUntraced(function* (context: ChainContext, job: SendJob) {
  if (!Chain.isAddress("solana", job.to)) return false
  const recipient = write(yield* unsignedSends(context, [job]), new Map())
  const control = write(yield* unsignedSends(context, [yield* controlOf(context, job)]), new Map())

  const failsOnlyForRecipient = Effect.fnUntraced(function* (node: Node) {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const [theirs, ours, account] = yield* Effect.all(
        [simulate(node, recipient, true), simulate(node, control, true), accountOf(context, node, job)],
        { concurrency: "unbounded" }
      )
      if (theirs.slot !== ours.slot || (account !== undefined && account.slot !== ours.slot)) continue
      const fails = (theirs.err !== null && !isRelayersFault(theirs.err)) || account?.isTheirs === false
      return fails && ours.err === null
    }
    return false
  })

  const answers = yield* askQuorum(context.config, context.nodes.all, failsOnlyForRecipient)
  return answers.every(({ value }) => value)
})
