/** Swaps that settle: of both families, for the first time and later, and submitted more than once. */
import * as plain from "../protocol/client.js"
import { signed, signedTransaction, submit, submitSolana } from "../protocol/operations.js"
import { ask, deploymentOf, newAddress, sol, usdc } from "../protocol/fixture.js"
import * as evm from "../stack/evm.js"
import { ended, type Flows } from "./flow.js"
import { evmPayer, fromEvm, fromSolana, solanaPayer } from "./requests.js"

export const swapFlows: Flows = {
  "evm-first-swap": async ({ main }, { note, of }) => {
    const world = of(main)
    const { devnet, first } = world
    const { id } = devnet.evmA
    const account = await evmPayer(main)
    const request = fromEvm(world, account.address)
    await ask(first, `/swap/delegation/${id}/${account.address}`)
    const authorization = await plain.authorize(first, account, id, deploymentOf(devnet, id))
    const quoted = await plain.quote(first, request)
    note("without an authorization")
    await ask(first, "/swap/build-geo-op", { geoQuoteToken: quoted.geoQuoteToken })
    const built = await plain.buildOperation(first, request, quoted, deploymentOf(devnet, id), authorization)
    const signature = await account.signMessage({ message: { raw: built.geoOpHash } })
    const { swapId } = await submit(world, { geoOpToken: built.geoOpToken, signature })
    await ended(main, world, swapId)
    note("the swap activated the wallet")
    await ask(first, `/swap/delegation?chainId=${id}&walletAddress=${account.address}`)
    await ask(first, `/swap/delegation/${id}/${account.address}`)
    note("on the other chain it is as before")
    await ask(first, `/swap/delegation/${devnet.evmB.id}/${account.address}`)
  },
  "evm-delegated-swap": async ({ main }, { note, of }) => {
    const world = of(main)
    const { devnet, first } = world
    const { evmA, evmB } = devnet
    const account = await evm.newDelegated(devnet, evmA, { USDC: 100_000n * usdc })
    const request = fromEvm(world, account.address, {
      outputToken: evm.tokenOf(evmB, "USDC"),
      recipient: await newAddress("evm")
    })
    const { submission } = await signed(world, account, request)
    const { swapId } = await submit(world, submission)
    await ended(main, world, swapId)
    const { geoQuoteToken } = await plain.quote(first, request)
    note("an authorization that is not needed is ignored")
    const { r, s, yParity } = await account.signAuthorization({ chainId: 1, address: `0x${"1".repeat(40)}`, nonce: 9 })
    const authorization = { chainId: 1, address: `0x${"0".repeat(39)}1`, nonce: 9, yParity, r, s }
    await ask(first, "/swap/build-geo-op", { geoQuoteToken, authorization })
  },
  "evm-to-solana-swap": async ({ main }, { of }) => {
    const world = of(main)
    const { devnet } = world
    const account = await evmPayer(main)
    const { submission } = await signed(
      world,
      account,
      fromEvm(world, account.address, {
        destinationChain: devnet.solana.id,
        outputToken: sol,
        recipient: await newAddress("solana")
      })
    )
    const { swapId } = await submit(world, submission)
    await ended(main, world, swapId)
  },
  "solana-swap": async ({ main }, { note, of }) => {
    const world = of(main)
    const { devnet, first } = world
    const { id } = devnet.solana
    const owner = await solanaPayer(main)
    await ask(first, `/swap/delegation?chainId=${id}&walletAddress=${owner.address}`)
    await ask(first, `/swap/delegation/${id}/${owner.address}`)
    const request = fromSolana(world, owner.address, {
      destinationChain: id,
      outputToken: evm.tokenOf(devnet.solana, "WETH"),
      recipient: owner.address
    })
    const { quoted, submission } = await signedTransaction(world, owner, request)
    const { swapId } = await submitSolana(world, submission)
    await ended(main, world, swapId)
    note("an authorization is accepted and ignored")
    const authorization = { chainId: 1, address: `0x${"0".repeat(39)}1`, nonce: 0, yParity: 0, r: "0x1", s: "0x1" }
    await ask(first, "/swap/build-solana-tx", { geoQuoteToken: quoted.geoQuoteToken, authorization })
  },
  "solana-to-evm-swap": async ({ main }, { of }) => {
    const world = of(main)
    const owner = await solanaPayer(main)
    const { submission } = await signedTransaction(world, owner, fromSolana(world, owner.address))
    const { swapId } = await submitSolana(world, submission)
    await ended(main, world, swapId)
  },
  "idempotency-evm": async ({ main }, { note, of }) => {
    const world = of(main)
    const { first } = world
    const account = await evmPayer(main)
    const { build, sign, submission } = await signed(world, account, fromEvm(world, account.address))
    note("another operation of the same quote")
    const other = await build()
    const { swapId } = await submit(world, submission)
    await ended(main, world, swapId)
    note("the same submission again")
    await submit(world, submission)
    note("another signature over the same operation")
    await submit(world, { ...submission, signature: await sign() })
    note("the other operation")
    await ask(first, "/swap/submit", other.submission)
  },
  "idempotency-solana": async ({ main }, { note, of }) => {
    const world = of(main)
    const { first } = world
    const owner = await solanaPayer(main)
    const { build, submission } = await signedTransaction(world, owner, fromSolana(world, owner.address))
    const { swapId } = await submitSolana(world, submission)
    await ended(main, world, swapId)
    note("the same submission again")
    await submitSolana(world, submission)
    note("another transaction of the same quote: the blockhash has changed")
    const other = await build()
    note("the other transaction")
    await ask(first, "/swap/submit-solana", other)
  }
}
