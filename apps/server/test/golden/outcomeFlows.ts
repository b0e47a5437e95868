/** Swaps that fail or are refunded. */
import * as Effect from "effect/Effect"
import { signed, signedTransaction, submit, submitSolana } from "../protocol/operations.js"
import { moveNonce, type World } from "../protocol/fixture.js"
import * as evm from "../stack/evm.js"
import { until } from "../stack/fixture.js"
import { ended, type Flows } from "./flow.js"
import { evmPayer, fromEvm, fromSolana, solanaPayer } from "./requests.js"

/** Runs while the origin chains mine no blocks. */
const held = async <A>({ devnet }: World, run: () => Promise<A>): Promise<A> => {
  const [evmA, solana] = [devnet.evmA, devnet.solana]
  await Effect.runPromise(Effect.all([evmA.hold, solana.hold], { discard: true }))
  try {
    return await run()
  } finally {
    await Effect.runPromise(Effect.all([evmA.release, solana.release], { discard: true }))
  }
}

export const endFlows: Flows = {
  "failed-evm": async ({ main }, { note, of }) => {
    const world = of(main)
    const { devnet } = world
    const account = await evmPayer(main)
    const { submission } = await signed(world, account, fromEvm(world, account.address))
    let moved: Promise<void> | undefined
    const swapId = await held(world, async () => {
      const submitted = await submit(world, submission)
      const waiting = async (role: "owner" | "relayer") =>
        (await evm.poolOf(devnet.evmA, evm.operator(devnet, role).address)).length > 0
      await until(() => waiting("relayer"))
      // Is included before the relayer's transaction, whose authorization is then stale.
      moved = moveNonce(main, account, evm.firstInBlock)
      await until(() => waiting("owner"))
      return submitted.swapId
    })
    await moved
    await ended(main, world, swapId)
    note("the same submission again")
    await submit(world, submission)
  },
  "failed-solana": async ({ main }, { note, of }) => {
    const world = of(main)
    const owner = await solanaPayer(main)
    const { submission } = await signedTransaction(world, owner, fromSolana(world, owner.address))
    await Effect.runPromise(world.devnet.solana.expireBlockhashes)
    const { swapId } = await submitSolana(world, submission)
    await ended(main, world, swapId)
    note("the same submission again")
    await submitSolana(world, submission)
  },
  "refunded-evm": async ({ priced }, { note, of }) => {
    const world = of(priced.world)
    const weth = evm.tokenOf(world.devnet.evmB, "WETH")
    const account = await evmPayer(priced.world)
    const { submission } = await signed(world, account, fromEvm(world, account.address))
    const swapId = await held(world, async () => {
      const submitted = await submit(world, submission)
      priced.venue.set(weth, { type: "moved", thousandths: 1_006 })
      return submitted.swapId
    })
    await ended(priced.world, world, swapId)
    note("the same submission again")
    await submit(world, submission)
    priced.venue.set(weth, undefined)
  },
  "refunded-solana": async ({ priced }, { note, of }) => {
    const world = of(priced.world)
    const weth = evm.tokenOf(world.devnet.evmA, "WETH")
    const owner = await solanaPayer(priced.world)
    const { submission } = await signedTransaction(world, owner, fromSolana(world, owner.address))
    const swapId = await held(world, async () => {
      const submitted = await submitSolana(world, submission)
      priced.venue.set(weth, { type: "moved", thousandths: 1_006 })
      return submitted.swapId
    })
    await ended(priced.world, world, swapId)
    note("the same submission again")
    await submitSolana(world, submission)
    priced.venue.set(weth, undefined)
  }
}
