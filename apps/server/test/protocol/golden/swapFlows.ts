/** Swaps that settle: of both families, for the first time and later, and submitted more than once. */
import * as evm from "../../stack/evm.js"
import * as protocol from "../client.js"
import { ask, deploymentOf, newAddress, sol, usdc } from "../fixture.js"
import { signed, signedTransaction, submit, submitSolana } from "../operations.js"
import { ended, type Flows } from "./flow.js"
import { evmPayer, fromEvm, fromSolana, solanaPayer } from "./requests.js"

export const swapFlows: Flows = {
  "evm-first-swap": async ({ main }, { note, of }) => {
    const fixture = of(main)
    const { devnet, first } = fixture
    const { id } = devnet.evmA
    const account = await evmPayer(main)
    const request = fromEvm(fixture, account.address)
    await ask(first, `/swap/delegation/${id}/${account.address}`)
    const authorization = await protocol.authorize(first, account, id, deploymentOf(devnet, id))
    const quoted = await protocol.quote(first, request)
    note("without an authorization")
    await ask(first, "/swap/build-geo-op", { geoQuoteToken: quoted.geoQuoteToken })
    const built = await protocol.buildOperation(first, request, quoted, deploymentOf(devnet, id), authorization)
    const signature = await account.signMessage({ message: { raw: built.geoOpHash } })
    const { swapId } = await submit(fixture, { geoOpToken: built.geoOpToken, signature })
    await ended(main, fixture, swapId)
    note("the swap activated the wallet")
    await ask(first, `/swap/delegation?chainId=${id}&walletAddress=${account.address}`)
    await ask(first, `/swap/delegation/${id}/${account.address}`)
    note("on the other chain it is as before")
    await ask(first, `/swap/delegation/${devnet.evmB.id}/${account.address}`)
  },
  "evm-delegated-swap": async ({ main }, { note, of }) => {
    const fixture = of(main)
    const { devnet, first } = fixture
    const { evmA, evmB } = devnet
    const account = await evm.newDelegated(devnet, evmA, { USDC: 100_000n * usdc })
    const request = fromEvm(fixture, account.address, {
      outputToken: evm.tokenOf(evmB, "USDC"),
      recipient: await newAddress("evm")
    })
    const { submission } = await signed(fixture, account, request)
    const { swapId } = await submit(fixture, submission)
    await ended(main, fixture, swapId)
    // Another amount, because the same one may have another output in a later block.
    const { geoQuoteToken } = await protocol.quote(first, { ...request, amount: `${2_000n * usdc}` })
    note("an authorization that is not needed is ignored")
    const { r, s, yParity } = await account.signAuthorization({ chainId: 1, address: `0x${"1".repeat(40)}`, nonce: 9 })
    const authorization = { chainId: 1, address: `0x${"0".repeat(39)}1`, nonce: 9, yParity, r, s }
    await ask(first, "/swap/build-geo-op", { geoQuoteToken, authorization })
  },
  "evm-to-solana-swap": async ({ main }, { of }) => {
    const fixture = of(main)
    const { devnet } = fixture
    const account = await evmPayer(main)
    const { submission } = await signed(
      fixture,
      account,
      fromEvm(fixture, account.address, {
        destinationChain: devnet.solana.id,
        outputToken: sol,
        recipient: await newAddress("solana")
      })
    )
    const { swapId } = await submit(fixture, submission)
    await ended(main, fixture, swapId)
  },
  "solana-swap": async ({ main }, { note, of }) => {
    const fixture = of(main)
    const { devnet, first } = fixture
    const { id } = devnet.solana
    const owner = await solanaPayer(main)
    await ask(first, `/swap/delegation?chainId=${id}&walletAddress=${owner.address}`)
    await ask(first, `/swap/delegation/${id}/${owner.address}`)
    const request = fromSolana(fixture, owner.address, {
      destinationChain: id,
      outputToken: evm.tokenOf(devnet.solana, "WETH"),
      recipient: owner.address
    })
    const { quoted, submission } = await signedTransaction(fixture, owner, request)
    const { swapId } = await submitSolana(fixture, submission)
    await ended(main, fixture, swapId)
    note("an authorization is accepted and ignored")
    const authorization = { chainId: 1, address: `0x${"0".repeat(39)}1`, nonce: 0, yParity: 0, r: "0x1", s: "0x1" }
    await ask(first, "/swap/build-solana-tx", { geoQuoteToken: quoted.geoQuoteToken, authorization })
  },
  "solana-to-evm-swap": async ({ main }, { of }) => {
    const fixture = of(main)
    const owner = await solanaPayer(main)
    const { submission } = await signedTransaction(fixture, owner, fromSolana(fixture, owner.address))
    const { swapId } = await submitSolana(fixture, submission)
    await ended(main, fixture, swapId)
  },
  "idempotency-evm": async ({ main }, { note, of }) => {
    const fixture = of(main)
    const { first } = fixture
    const account = await evmPayer(main)
    const { build, sign, submission } = await signed(fixture, account, fromEvm(fixture, account.address))
    note("another operation of the same quote")
    const other = await build()
    const { swapId } = await submit(fixture, submission)
    await ended(main, fixture, swapId)
    note("the same submission again")
    await submit(fixture, submission)
    note("another signature over the same operation")
    await submit(fixture, { ...submission, signature: await sign() })
    note("the other operation")
    await ask(first, "/swap/submit", other.submission)
  },
  "idempotency-solana": async ({ main }, { note, of }) => {
    const fixture = of(main)
    const { first } = fixture
    const owner = await solanaPayer(main)
    const { build, submission } = await signedTransaction(fixture, owner, fromSolana(fixture, owner.address))
    const { swapId } = await submitSolana(fixture, submission)
    await ended(main, fixture, swapId)
    note("the same submission again")
    await submitSolana(fixture, submission)
    note("another transaction of the same quote: the blockhash has changed")
    const other = await build()
    note("the other transaction")
    await ask(first, "/swap/submit-solana", other)
  }
}
