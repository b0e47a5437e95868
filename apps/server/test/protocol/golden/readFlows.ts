/** Chains, quotes with every optional field, and the status of a pending swap. */
import * as Effect from "effect/Effect"
import * as evm from "../../stack/evm.js"
import { ask, ether, evmWallet, usdc } from "../fixture.js"
import { submit, signed } from "../operations.js"
import { ended, type Flows, reached } from "./flow.js"
import { evmPayer, fromEvm, fromSolana, solanaPayer } from "./requests.js"

export const readFlows: Flows = {
  chains: async ({ main }, { note, of }) => {
    const { first } = of(main)
    await ask(first, "/swap/chains")
    note("with a request id of the caller's")
    await ask(first, "/swap/chains", undefined, { headers: { "x-request-id": "my-id.1" } })
    note("with a request id that cannot be used")
    await ask(first, "/swap/chains", undefined, { headers: { "x-request-id": "not an id" } })
    note("an error has the caller's request id too")
    await ask(first, "/swap/status/none", undefined, { headers: { "x-request-id": "my-id.2" } })
  },
  quotes: async ({ main }, { note, of }) => {
    const fixture = of(main)
    const { devnet, first } = fixture
    const { address } = await evmWallet(main, { USDC: 3_000_000n * usdc })
    const request = fromEvm(fixture, address)
    await ask(first, "/swap/quote", request)
    note("every field of a request, and one that the service does not know")
    await ask(first, "/swap/quote", {
      ...request,
      amount: 10_000_000_000,
      recipient: "0x00000000000000000000000000000000000a11ce",
      slippageBps: 100,
      colour: "blue"
    })
    note("null is absent")
    await ask(first, "/swap/quote", { ...request, recipient: null, slippageBps: null })
    note("the venue does not price this token in USD")
    await ask(first, "/swap/quote", { ...request, outputToken: evm.tokenOf(devnet.evmB, "GEO") })
    note("with a high price impact")
    await ask(first, "/swap/quote", { ...request, amount: `${2_000_000n * usdc}` })
    note("with a fee discount")
    const silver = await evmWallet(main, { USDC: 10_000n * usdc, GEO: 100n * ether })
    await ask(first, "/swap/quote", fromEvm(fixture, silver.address))
    const owner = await solanaPayer(main)
    await ask(first, "/swap/quote", fromSolana(fixture, owner.address))
  },
  "status-pending": async ({ main }, { note, of }) => {
    const fixture = of(main)
    const { devnet, first, second } = fixture
    const account = await evmPayer(main)
    const { submission } = await signed(fixture, account, fromEvm(fixture, account.address))
    await Effect.runPromise(devnet.evmB.hold)
    try {
      const { swapId } = await submit(fixture, submission)
      await reached(
        () => submit(main, submission),
        ({ collectedAt }) => collectedAt !== undefined
      )
      note("the same submission again: the input was collected, the output was not delivered")
      await submit(fixture, submission)
      note("by another account")
      await ask(second, `/swap/status/${swapId}`)
      await Effect.runPromise(devnet.evmB.release)
      await ended(main, fixture, swapId)
      await ask(second, `/swap/status/${swapId}`)
      await ask(first, "/swap/status/none")
    } finally {
      await Effect.runPromise(devnet.evmB.release)
    }
  }
}
