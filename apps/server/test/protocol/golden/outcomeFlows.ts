/** Swaps that fail or are refunded. */
import * as Effect from "effect/Effect"
import * as evm from "../../stack/evm.js"
import { until } from "../../stack/fixture.js"
import { moveNonce, type Fixture } from "../fixture.js"
import { signed, signedTransaction, submit, submitSolana } from "../operations.js"
import { ended, type Flows } from "./flow.js"
import { evmPayer, fromEvm, fromSolana, solanaPayer } from "./requests.js"

/** Runs while the origin chains mine no blocks. */
const held = async <A>({ devnet }: Fixture, run: () => Promise<A>): Promise<A> => {
  const [evmA, solana] = [devnet.evmA, devnet.solana]
  await Effect.runPromise(Effect.all([evmA.hold, solana.hold], { discard: true }))
  try {
    return await run()
  } finally {
    await Effect.runPromise(Effect.all([evmA.release, solana.release], { discard: true }))
  }
}

export const outcomeFlows: Flows = {
  "failed-evm": async ({ main }, { note, of }) => {
    const fixture = of(main)
    const { devnet } = fixture
    const account = await evmPayer(main)
    const { submission } = await signed(fixture, account, fromEvm(fixture, account.address))
    let moved: Promise<void> | undefined
    const swapId = await held(fixture, async () => {
      const submitted = await submit(fixture, submission)
      const waiting = async (role: "owner" | "relayer") =>
        (await evm.poolOf(devnet.evmA, evm.operator(devnet, role).address)).length > 0
      await until(() => waiting("relayer"))
      // Is included before the relayer's transaction, whose authorization is then stale.
      moved = moveNonce(main, account, evm.firstInBlock)
      await until(() => waiting("owner"))
      return submitted.swapId
    })
    await moved
    await ended(main, fixture, swapId)
    note("the same submission again")
    await submit(fixture, submission)
  },
  "failed-solana": async ({ main }, { note, of }) => {
    const fixture = of(main)
    const owner = await solanaPayer(main)
    const { submission } = await signedTransaction(fixture, owner, fromSolana(fixture, owner.address))
    await Effect.runPromise(fixture.devnet.solana.expireBlockhashes)
    const { swapId } = await submitSolana(fixture, submission)
    await ended(main, fixture, swapId)
    note("the same submission again")
    await submitSolana(fixture, submission)
  },
  "refunded-evm": async ({ priced }, { note, of }) => {
    const fixture = of(priced.fixture)
    const weth = evm.tokenOf(fixture.devnet.evmB, "WETH")
    const account = await evmPayer(priced.fixture)
    const { submission } = await signed(fixture, account, fromEvm(fixture, account.address))
    const swapId = await held(fixture, async () => {
      const submitted = await submit(fixture, submission)
      priced.venue.set(weth, { type: "moved", thousandths: 1_006 })
      return submitted.swapId
    })
    await ended(priced.fixture, fixture, swapId)
    note("the same submission again")
    await submit(fixture, submission)
    priced.venue.set(weth, undefined)
  },
  "refunded-solana": async ({ priced }, { note, of }) => {
    const fixture = of(priced.fixture)
    const weth = evm.tokenOf(fixture.devnet.evmA, "WETH")
    const owner = await solanaPayer(priced.fixture)
    const { submission } = await signedTransaction(fixture, owner, fromSolana(fixture, owner.address))
    const swapId = await held(fixture, async () => {
      const submitted = await submitSolana(fixture, submission)
      priced.venue.set(weth, { type: "moved", thousandths: 1_006 })
      return submitted.swapId
    })
    await ended(priced.fixture, fixture, swapId)
    note("the same submission again")
    await submitSolana(fixture, submission)
    priced.venue.set(weth, undefined)
  }
}
